import { type Tx, type ProfileFieldRow, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, profileFieldTypes, ApiError, limits } from '@parley/protocol';
import { sql } from 'drizzle-orm';

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

/**
 * Creates a custom profile field, which comes last in the order.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for an invalid type, name, hint or field data, a name that another field has, a field that cannot
 * be in the summary, or too many fields
 */
export async function create(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & NewField,
): Promise<ActionResult & { field: ProfileFieldRow }> {
  model.permissions.assertAdministrator(actor);
  const { customProfileFields } = tables;
  if (!Object.values(profileFieldTypes).some(({ id }) => id === input.type)) {
    throw new ApiError('BAD_REQUEST', 'There is no such type of profile field.');
  }
  const fieldData = parseFieldData(input.type, input.fieldData);
  // A field for a known external account has that account's name and hint.
  const { name, hint } = knownAccount({ type: input.type, fieldData }) ?? {
    name: parseLabel(input.name),
    hint: parseHint(input.hint),
  };
  const others = await lockFields(tx, actor);
  if (others.length >= limits.profileFieldsPerRealm) {
    throw new ApiError(
      'BAD_REQUEST',
      'There are too many custom profile fields. Remove some that nobody needs.',
    );
  }
  await assertFieldIsValid(tx, actor, others, { ...input, name });
  const [created] = await tx
    .insert(customProfileFields)
    .values({ ...input, name, hint, fieldData, realmId: actor.realm.id, position: 0 })
    .returning();
  if (!created) throw new Error('An insert returned no row.');
  const [field] = await tx
    .update(customProfileFields)
    .set({ position: sql`${customProfileFields.id}` })
    .where(hasId(customProfileFields, actor.realm, created.id))
    .returning();
  if (!field) throw new Error('An update returned no row.');
  return { events: [model.profileFields.profileFieldsEvent([...others, field])], field };
}
create.actionName = 'profileFields.create' as const;
