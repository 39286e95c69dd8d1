import type { RealmDomainRow, Tx } from '@parley/db';
import type { RealmDomain } from '@parley/protocol';

import { listRealmDomains } from './find.ts';

export const presentRealmDomain = ({ domain, allowSubdomains }: RealmDomainRow): RealmDomain => ({
  domain,
  allow_subdomains: allowSubdomains,
});

/** Returns `realm_domains` of POST /register. */
export const realmDomainsState = async (tx: Tx, realmId: number): Promise<RealmDomain[]> =>
  (await listRealmDomains(tx, realmId)).map(presentRealmDomain);
