import { type Tx, tables, type ProfileFieldRow } from '@parley/db';
import { hasId, parseOptional, type Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, profileFieldTypes, type PendingEvent } from '@parley/protocol';
import { eq, and, inArray } from 'drizzle-orm';

import { parseFieldData, knownAccount, optionKeys } from './field-data.ts';
import { parseHint, parseLabel } from './labels.ts';
import { lockFields } from './lock.ts';
import { profileValueEvents } from './set.ts';
import { assertFieldIsValid } from './validate.ts';

export interface FieldEdit {
  id: number;
  name?: string | undefined;
  hint?: string | undefined;
  fieldData?: unknown;
  isRequired?: boolean | undefined;
  isEditableByUser?: boolean | undefined;
  isInSummary?: boolean | undefined;
}

/**
 * Changes a custom profile field. Values that chose a removed option of a list are removed with it.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a field that does not exist, an invalid name, hint or field data, a name that another field
 * has, a field that cannot be in the summary, or a new name, hint or field data for a known external account
 */
export async function edit(
  tx: Tx,
  { actor, id, ...input }: { actor: Actor } & FieldEdit,
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const changes = {
    ...input,
    name: parseOptional(input.name, parseLabel),
    hint: parseOptional(input.hint, parseHint),
  };
  const { customProfileFields } = tables;
  const fields = await lockFields(tx, actor);
  const before = model.profileFields.getProfileField(fields, id);
  const after: ProfileFieldRow = {
    ...before,
    name: changes.name ?? before.name,
    hint: changes.hint ?? before.hint,
    fieldData:
      changes.fieldData === undefined ? before.fieldData : parseFieldData(before.type, changes.fieldData),
    isRequired: changes.isRequired ?? before.isRequired,
    isEditableByUser: changes.isEditableByUser ?? before.isEditableByUser,
    isInSummary: changes.isInSummary ?? before.isInSummary,
  };
  const isRenamed =
    before.name !== after.name || before.hint !== after.hint || before.fieldData !== after.fieldData;
  if (isRenamed && knownAccount(before)) {
    throw new ApiError('BAD_REQUEST', 'The settings of this field are fixed.');
  }
  const others = fields.filter((field) => field !== before);
  await assertFieldIsValid(tx, actor, others, after);
  if (
    !isRenamed &&
    Object.entries(after).every(([key, value]) => before[key as keyof ProfileFieldRow] === value)
  ) {
    return { events: [] };
  }
  const { name, hint, fieldData, isRequired, isEditableByUser, isInSummary } = after;
  await tx
    .update(customProfileFields)
    .set({ name, hint, fieldData, isRequired, isEditableByUser, isInSummary })
    .where(hasId(customProfileFields, actor.realm, id));
  return {
    events: [
      ...(await removeValuesOfLostOptions(tx, actor, before, after)),
      model.profileFields.profileFieldsEvent(fields.map((field) => (field === before ? after : field))),
    ],
  };
}
edit.actionName = 'profileFields.edit' as const;

async function removeValuesOfLostOptions(
  tx: Tx,
  { realm }: Actor,
  before: ProfileFieldRow,
  after: ProfileFieldRow,
) {
  const { customProfileValues } = tables;
  if (before.type !== profileFieldTypes.SELECT.id) return [];
  const remaining = optionKeys(after);
  const lost = [...optionKeys(before)].filter((key) => !remaining.has(key));
  if (lost.length === 0) return [];
  const choseLost = and(
    eq(customProfileValues.realmId, realm.id),
    eq(customProfileValues.fieldId, before.id),
    inArray(customProfileValues.value, lost),
  );
  const rows = await tx.delete(customProfileValues).where(choseLost).returning();
  const ids = rows.map(({ userId }) => userId);
  const rules = await model.permissions.getRules(tx, realm.id);
  const pending: PendingEvent[] = [];
  for (const user of await model.users.listUsers(tx, realm.id, ids)) {
    pending.push(...(await profileValueEvents(tx, realm, user, [{ id: before.id, value: null }], rules)));
  }
  return pending;
}
