import type { ProfileFieldRow, Tx } from '@parley/db';
import { sortProfileFields, selectProfileFields, type Actor } from '@parley/model';

import { lockName } from '../lock.ts';

/** All fields, which nobody changes or removes while somebody fills them in. */
export const lockFieldsForShare = async (tx: Tx, realmId: number): Promise<ProfileFieldRow[]> =>
  sortProfileFields(await selectProfileFields(tx, realmId).for('share'));

/** All fields, for whoever changes which there are: nobody else changes one or fills one in meanwhile. */
export async function lockFields(tx: Tx, { realm }: Actor): Promise<ProfileFieldRow[]> {
  await lockName(tx, 'list', realm.id, 'profile fields');
  return sortProfileFields(await selectProfileFields(tx, realm.id).for('update'));
}
