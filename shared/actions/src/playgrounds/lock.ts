import type { PlaygroundRow, Tx } from '@parley/db';
import { listPlaygrounds, type Actor } from '@parley/model';

import { lockName } from '../lock.ts';

/** For whoever changes which there are: nobody else does meanwhile. */
export async function lockPlaygrounds(tx: Tx, { realm }: Actor): Promise<PlaygroundRow[]> {
  await lockName(tx, 'list', realm.id, 'playgrounds');
  return await listPlaygrounds(tx, realm.id);
}
