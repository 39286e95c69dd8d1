import type { LinkifierRow, Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';

import { lockName } from '../lock.ts';

/** Locks the realm's list of linkifiers until the end of the transaction, and reads it. */
export async function lockLinkifiers(tx: Tx, { realm }: Actor): Promise<LinkifierRow[]> {
  await lockName(tx, 'list', realm.id, 'linkifiers');
  return await model.linkifiers.listLinkifiers(tx, realm.id);
}
