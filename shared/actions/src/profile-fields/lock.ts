import type { ProfileFieldRow, Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';

import { lockName } from '../lock.ts';

/** Reads all fields, and locks them for share: nobody changes or removes one while values are written. */
export const lockFieldsForShare = async (tx: Tx, realmId: number): Promise<ProfileFieldRow[]> =>
  model.profileFields.sortProfileFields(
    await model.profileFields.selectProfileFields(tx, realmId).for('share'),
  );

/** Locks the realm's list of fields and the fields: nobody else changes one, or writes a value, meanwhile. */
export async function lockFields(tx: Tx, { realm }: Actor): Promise<ProfileFieldRow[]> {
  await lockName(tx, 'list', realm.id, 'profile fields');
  return model.profileFields.sortProfileFields(
    await model.profileFields.selectProfileFields(tx, realm.id).for('update'),
  );
}
