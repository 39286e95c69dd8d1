import type { RealmDomainRow, Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

import { lockName } from '../lock.ts';

/** Locks the realm's list of domains until the end of the transaction, and reads it. */
export async function lockRealmDomains(tx: Tx, { realm }: Actor): Promise<RealmDomainRow[]> {
  await lockName(tx, 'list', realm.id, 'domains');
  return await model.realmDomains.listRealmDomains(tx, realm.id);
}

/** @throws BAD_REQUEST for a domain that is not in the list, whatever its case */
export function getRealmDomain(rows: RealmDomainRow[], domain: string): RealmDomainRow {
  const row = rows.find((one) => one.domain === domain.trim().toLowerCase());
  if (!row) throw new ApiError('BAD_REQUEST', `${domain} is not one of your organization's domains.`);
  return row;
}
