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
}

interface RealmFinderDeps {
  db: Database;
  site: Site;
}

export function createRealmFinder({ db, site }: RealmFinderDeps): RealmFinder {
  // Names and ids of realms do not change. Whether a realm is active is read with every authentication.
  const realms = new LRUCache<string, Realm>({ max: 10_000 });

  return {
    async find(host) {
      const name = realmOfHost(host, site);
      const cached = name !== null && realms.get(name);
      if (cached) return cached;
      const row = name === null || name.includes('\0') ? undefined : await findRealm(db, name);
      const realm = row && realmAt(row, site);
      if (!realm) {
        throw new ApiError('NONEXISTENT_SUBDOMAIN', 'There is no organization at this address.');
      }
      realms.set(realm.name, realm);
      return realm;
    },
  };
}
