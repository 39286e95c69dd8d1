import { type Tx, tables } from '@parley/db';
import { ApiError, type ActionResult, type Draft, profileFieldTypes } from '@parley/protocol';
import { and, eq, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getRules } from '../realms/rules.ts';
import { listUsers } from '../users/find.ts';
import { checkField } from './check.ts';
import { knownAccount, optionKeys, settleFieldData } from './field-data.ts';
import { type FieldRow, getField, lockFields } from './find.ts';
import { draftOfFields } from './present.ts';
import { draftsOfValues } from './set.ts';

export interface FieldEdit {
  id: number;
  name?: string | undefined;
  hint?: string | undefined;
  fieldData?: unknown;
  isRequired?: boolean | undefined;
  isEditableByUser?: boolean | undefined;
  isInSummary?: boolean | undefined;
}

/** Changes a field. With an option of a list go the values that chose it. */
export async function edit(tx: Tx, actor: Actor, { id, ...wanted }: FieldEdit): Promise<ActionResult> {
  const { customProfileFields } = tables;
  const fields = await lockFields(tx, actor);
  const before = getField(fields, id);
  const after: FieldRow = {
    ...before,
    name: wanted.name ?? before.name,
    hint: wanted.hint ?? before.hint,
    fieldData:
      wanted.fieldData === undefined ? before.fieldData : settleFieldData(before.type, wanted.fieldData),
    isRequired: wanted.isRequired ?? before.isRequired,
    isEditableByUser: wanted.isEditableByUser ?? before.isEditableByUser,
    isInSummary: wanted.isInSummary ?? before.isInSummary,
  };
  const isRenamed =
    before.name !== after.name || before.hint !== after.hint || before.fieldData !== after.fieldData;
  if (isRenamed && knownAccount(before)) {
    throw new ApiError('BAD_REQUEST', 'Default custom field cannot be updated.');
  }
  if (after.name === '') throw new ApiError('BAD_REQUEST', 'Label cannot be blank.');
  const others = fields.filter((field) => field !== before);
  checkField(others, after);
  if (!isRenamed && Object.entries(after).every(([key, value]) => before[key as keyof FieldRow] === value)) {
    return { events: [], keepsRules: true };
  }
  const { name, hint, fieldData, isRequired, isEditableByUser, isInSummary } = after;
  await tx
    .update(customProfileFields)
    .set({ name, hint, fieldData, isRequired, isEditableByUser, isInSummary })
    .where(eq(customProfileFields.id, id));
  return {
    events: [
      ...(await clearLostOptions(tx, actor, before, after)),
      draftOfFields(fields.map((field) => (field === before ? after : field))),
    ],
    keepsRules: true,
  };
}

async function clearLostOptions(tx: Tx, { realm }: Actor, before: FieldRow, after: FieldRow) {
  const { customProfileValues } = tables;
  if (before.type !== profileFieldTypes.SELECT.id) return [];
  const left = optionKeys(after);
  const lost = [...optionKeys(before)].filter((key) => !left.has(key));
  if (lost.length === 0) return [];
  const chosen = and(eq(customProfileValues.fieldId, before.id), inArray(customProfileValues.value, lost));
  const rows = await tx.delete(customProfileValues).where(chosen).returning();
  const ids = rows.map(({ userId }) => userId);
  const rules = await getRules(tx, realm.id);
  const drafts: Draft[] = [];
  for (const user of await listUsers(tx, realm.id, ids)) {
    drafts.push(...(await draftsOfValues(tx, realm, user, [{ id: before.id, value: null }], rules)));
  }
  return drafts;
}
