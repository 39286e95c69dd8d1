import { type Hosts, realmOfHost, textOfItsOwn } from '@parley/http';

const hostsKeptMax = 1000;

/** Returns `realmOfHost` with its results remembered: nearly all requests name the same few hosts. */
export function createRealmOfHostCache(hosts: Hosts): (host: string | undefined) => string | null {
  const realmsByHost = new Map<string | undefined, string | null>();
  return (host) => {
    let realm = realmsByHost.get(host);
    if (realm === undefined) {
      // The header is a part of a request's head, which is not to be kept.
      const kept = host === undefined ? host : textOfItsOwn(host);
      realm = realmOfHost(kept, hosts);
      if (realmsByHost.size >= hostsKeptMax) realmsByHost.clear();
      realmsByHost.set(kept, realm);
    }
    return realm;
  };
}
