import { type RealmExportRow, type Tx, tables } from '@parley/db';
import { hasId } from '@parley/model';

import { lockName } from '../lock.ts';

const { realmExports } = tables;

/** Locks the realm's list of exports until the end of the transaction: each event of theirs has the whole list. */
export const lockExports = (tx: Tx, realm: { id: number }) => lockName(tx, 'list', realm.id, 'exports');

/** Locks an export of a realm until the end of the transaction, and reads it. */
export async function lockExport(
  tx: Tx,
  realm: { id: number },
  id: number,
): Promise<RealmExportRow | undefined> {
  await lockExports(tx, realm);
  const isThis = hasId(realmExports, realm, id);
  return (await tx.select().from(realmExports).where(isThis).for('no key update'))[0];
}
