import type { Tx } from '@parley/db';
import { type ProfileField, profileFieldTypes } from '@parley/protocol';

import { listProfileFields } from './find.ts';
import { presentFields } from './present.ts';

/** Returns the custom profile fields of a realm as API objects, in their order. */
export const presentRealmProfileFields = async (tx: Tx, realmId: number): Promise<ProfileField[]> =>
  presentFields(await listProfileFields(tx, realmId));

/** Returns the `custom_profile_fields` part of POST /register. */
export const profileFieldsState = async (tx: Tx, realmId: number) => ({
  custom_profile_fields: await presentRealmProfileFields(tx, realmId),
  custom_profile_field_types: profileFieldTypes,
});
