import type { LinkifierRow, Tx } from '@parley/db';
import { listLinkifiers, type Actor } from '@parley/model';

import { lockName } from '../lock.ts';

/** Locks the realm's list of linkifiers until the end of the transaction, and reads it. */
export async function lockLinkifiers(tx: Tx, { realm }: Actor): Promise<LinkifierRow[]> {
  await lockName(tx, 'list', realm.id, 'linkifiers');
  return await listLinkifiers(tx, realm.id);
}
