import type { LinkifierRow, Tx } from '@parley/db';
import { listLinkifiers, type Actor } from '@parley/model';

import { lockName } from '../lock.ts';

/** For whoever changes which there are: nobody else does meanwhile. */
export async function lockLinkifiers(tx: Tx, { realm }: Actor): Promise<LinkifierRow[]> {
  await lockName(tx, 'list', realm.id, 'linkifiers');
  return await listLinkifiers(tx, realm.id);
}
