import { type Tx, type ProfileFieldRow, tables } from '@parley/db';
import { assertAdministrator } from '@parley/model';
import { type Actor, profileFieldsEvent } from '@parley/model';
import { type ActionResult, profileFieldTypes, ApiError, limits } from '@parley/protocol';
import { sql, eq } from 'drizzle-orm';

import { parseFieldData, knownAccount } from './field-data.ts';
import { parseHint, parseLabel } from './labels.ts';
import { lockFields } from './lock.ts';
import { assertFieldIsValid } from './validate.ts';

export interface NewField {
  name: string;
  hint: string;
  type: number;
  fieldData: unknown;
  isRequired: boolean;
  isEditableByUser: boolean;
  isInSummary: boolean;
}

/** Makes a field, the last in their order. */
export async function create(
  tx: Tx,
  actor: Actor,
  wanted: NewField,
): Promise<ActionResult & { field: ProfileFieldRow }> {
  assertAdministrator(actor);
  const { customProfileFields } = tables;
  if (!Object.values(profileFieldTypes).some(({ id }) => id === wanted.type)) {
    throw new ApiError('BAD_REQUEST', 'Invalid field type.');
  }
  const fieldData = parseFieldData(wanted.type, wanted.fieldData);
  // A known account is called what it is called everywhere.
  const { name, hint } = knownAccount({ type: wanted.type, fieldData }) ?? {
    name: parseLabel(wanted.name),
    hint: parseHint(wanted.hint),
  };
  const others = await lockFields(tx, actor);
  if (others.length >= limits.profileFieldsPerRealm) {
    throw new ApiError('BAD_REQUEST', 'There are too many custom profile fields.');
  }
  assertFieldIsValid(others, { ...wanted, name });
  const [made] = await tx
    .insert(customProfileFields)
    .values({ ...wanted, name, hint, fieldData, realmId: actor.realm.id, position: 0 })
    .returning();
  if (!made) throw new Error('An insert returned no row.');
  const [field] = await tx
    .update(customProfileFields)
    .set({ position: sql`${customProfileFields.id}` })
    .where(eq(customProfileFields.id, made.id))
    .returning();
  if (!field) throw new Error('An update returned no row.');
  return { events: [profileFieldsEvent([...others, field])], keepsRules: true, field };
}
