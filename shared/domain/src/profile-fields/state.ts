import type { Tx } from '@parley/db';
import { type ProfileField, profileFieldTypes } from '@parley/protocol';

import { listFields } from './find.ts';
import { presentFields } from './present.ts';

/** The fields of an organization, in order. */
export const listProfileFields = async (tx: Tx, realmId: number): Promise<ProfileField[]> =>
  presentFields(await listFields(tx, realmId));

/** The `custom_profile_fields` part of POST /register. */
export const profileFieldsState = async (tx: Tx, realmId: number) => ({
  custom_profile_fields: await listProfileFields(tx, realmId),
  custom_profile_field_types: profileFieldTypes,
});
