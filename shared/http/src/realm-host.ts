import { isIP } from 'node:net';

export interface Hosts {
  /** Host name whose subdomains name realms. */
  baseHost: string;
  /** Realm served at the bare host and at IP addresses. */
  rootRealm: string;
}

/**
 * Returns the realm that a Host header names: a subdomain of the base host, or the root realm. Unknown hosts name none.
 */
export function realmOfHost(header: string | undefined, { baseHost, rootRealm }: Hosts): string | null {
  if (header === undefined) return rootRealm;
  const host = header.toLowerCase().replace(/:\d*$/, '');
  if (host === baseHost || host === 'localhost' || isIP(host.replace(/^\[(.*)\]$/, '$1'))) return rootRealm;
  if (!host.endsWith(`.${baseHost}`)) return null;
  const name = host.slice(0, -baseHost.length - 1);
  return name.includes('.') ? null : name;
}
