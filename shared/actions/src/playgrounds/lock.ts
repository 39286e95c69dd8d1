import type { PlaygroundRow, Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';

import { lockName } from '../lock.ts';

/** Locks the realm's list of playgrounds until the end of the transaction, and reads it. */
export async function lockPlaygrounds(tx: Tx, { realm }: Actor): Promise<PlaygroundRow[]> {
  await lockName(tx, 'list', realm.id, 'playgrounds');
  return await model.playgrounds.listPlaygrounds(tx, realm.id);
}
