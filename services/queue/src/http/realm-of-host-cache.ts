import { type Hosts, realmOfHost } from '@parley/http';

const hostsKeptMax = 1000;

/** Returns `realmOfHost` with its results remembered: nearly all requests name the same few hosts. */
export function createRealmOfHostCache(hosts: Hosts): (host: string | undefined) => string | null {
  const realmsByHost = new Map<string | undefined, string | null>();
  return (host) => {
    let realm = realmsByHost.get(host);
    if (realm === undefined) {
      realm = realmOfHost(host, hosts);
      if (realmsByHost.size >= hostsKeptMax) realmsByHost.clear();
      realmsByHost.set(host, realm);
    }
    return realm;
  };
}
