import type { Database } from '@parley/db';
import { realmOfHost } from '@parley/http';
import { type Realm, type Site, findRealm, realmAt } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { LRUCache } from 'lru-cache';

export interface RealmFinder {
  /**
   * Finds the realm that a Host header names.
   * @throws NONEXISTENT_SUBDOMAIN
   */
  find(host: string | undefined): Promise<Realm>;
  /** Like `find`, but null at a bare host that is no organization's. */
  findUnlessRoot(host: string | undefined): Promise<Realm | null>;
}

const noOrganization = () =>
  new ApiError('NONEXISTENT_SUBDOMAIN', 'There is no organization at this address.');

interface RealmFinderDeps {
  db: Database;
  site: Site;
}

export function createRealmFinder({ db, site }: RealmFinderDeps): RealmFinder {
  // Names and ids of realms do not change. Whether a realm is active is read with every authentication.
  const realms = new LRUCache<string, Realm>({ max: 10_000 });

  async function lookUp(name: string): Promise<Realm | null> {
    const cached = realms.get(name);
    if (cached) return cached;
    const row = name.includes('\0') ? undefined : await findRealm(db, name);
    const realm = row ? realmAt(row, site) : null;
    if (realm) realms.set(realm.name, realm);
    return realm;
  }

  async function findUnlessRoot(host: string | undefined): Promise<Realm | null> {
    const name = realmOfHost(host, site);
    const realm = name === null ? null : await lookUp(name);
    if (!realm && name !== site.rootRealm) throw noOrganization();
    return realm;
  }

  return {
    findUnlessRoot,
    async find(host) {
      const realm = await findUnlessRoot(host);
      if (!realm) throw noOrganization();
      return realm;
    },
  };
}
