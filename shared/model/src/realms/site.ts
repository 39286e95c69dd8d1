import type { tables } from '@parley/db';

import type { Realm } from '../actor.ts';
import { isEmailDomain } from '../names.ts';

/** The host that serves the realms. The root realm is at the host itself, each other realm at a subdomain. */
export interface Site {
  /** The URL at which clients reach the host: scheme, name and port. */
  baseUrl: string;
  baseHost: string;
  rootRealm: string;
  /** The domain of made-up email addresses where a realm's host cannot be one, such as `localhost` or an IP address. */
  fakeEmailDomain: string;
}

type RealmRow = Pick<typeof tables.realms.$inferSelect, 'id' | 'name' | 'membersConversationId'>;

/** Returns a realm with its address; null while the realm is being created. */
export function realmAt({ id, name, membersConversationId }: RealmRow, site: Site): Realm | null {
  if (membersConversationId === null) return null;
  const url = new URL(site.baseUrl);
  if (name !== site.rootRealm) url.hostname = `${name}.${site.baseHost}`;
  const host = name === site.rootRealm ? site.baseHost : url.hostname;
  return { id, name, membersConversationId, host, emailDomain: emailDomainOf(name, site), url: url.origin };
}

/** Returns the domain of all email addresses that are made up in the realm of a name. */
export function emailDomainOf(name: string, { baseHost, rootRealm, fakeEmailDomain }: Site): string {
  const host = name === rootRealm ? baseHost : `${name}.${baseHost}`;
  return isEmailDomain(host) ? host : fakeEmailDomain;
}

/** Returns the URL that a realm at a subdomain would have under another name. */
export function neighbourUrl({ url, name }: Pick<Realm, 'url' | 'name'>, otherName: string): string {
  const other = new URL(url);
  other.hostname = `${otherName}${other.hostname.slice(name.length)}`;
  return other.origin;
}
