import { type Tx, type UserRow, tables } from '@parley/db';
import { assertHuman } from '@parley/model';
import {
  type Actor,
  getProfileField,
  isAdministrator,
  presentProfileValue,
  getRules,
  type Realm,
  type Rules,
  userAudience,
  toAudience,
} from '@parley/model';
import { type ActionResult, type PendingEvent, ApiError, type ProfileValue, events } from '@parley/protocol';
import { eq, and } from 'drizzle-orm';

import { lockUser } from '../lock.ts';
import { lockFieldsForShare } from './lock.ts';
import { type FieldValueInput, parseFieldValue } from './value.ts';

/** What a field of somebody's is to hold. */
export interface FieldInput {
  id: number;
  value: FieldValueInput;
}

/** Fills in, or clears, fields of the actor's own profile. */
export async function set(tx: Tx, actor: Actor, fillings: FieldInput[]): Promise<ActionResult> {
  assertHuman(actor);
  const user = await lockUser(tx, actor);
  return { events: await setFields(tx, actor, user, fillings), keepsRules: true };
}

/** Fills in fields of a user whose row the caller holds. */
export async function setFields(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  fillings: FieldInput[],
): Promise<PendingEvent[]> {
  const { customProfileValues } = tables;
  const fields = await lockFieldsForShare(tx, actor.realm.id);
  const mine = eq(customProfileValues.userId, user.id);
  const rows = await tx.select().from(customProfileValues).where(mine);
  const before = new Map(rows.map((row) => [row.fieldId, row]));
  const changes: Change[] = [];
  // Of two values for one field, the last holds.
  for (const { id, value } of new Map(fillings.map((filling) => [filling.id, filling])).values()) {
    const field = getProfileField(fields, id);
    if (!field.isEditableByUser && !isAdministrator(actor)) {
      const msg = 'You are not allowed to change this field. Contact an administrator to update it.';
      throw new ApiError('BAD_REQUEST', msg);
    }
    const settled = await parseFieldValue(tx, actor, field, value);
    if (settled?.value === before.get(id)?.value) continue;
    if (settled) {
      await tx
        .insert(customProfileValues)
        .values({ userId: user.id, fieldId: id, ...settled })
        .onConflictDoUpdate({
          target: [customProfileValues.userId, customProfileValues.fieldId],
          set: settled,
        });
    } else await tx.delete(customProfileValues).where(and(mine, eq(customProfileValues.fieldId, id)));
    changes.push({ id, ...(settled ? presentProfileValue(settled) : { value: null }) });
  }
  if (changes.length === 0) return [];
  return await profileValueEvents(tx, actor.realm, user, changes, await getRules(tx, actor.realm.id));
}

type Change = { id: number } & (ProfileValue | { value: null });

/** What those who see a user are told of the user's profile: each field by itself. */
export async function profileValueEvents(
  tx: Tx,
  realm: Realm,
  user: UserRow,
  changes: Change[],
  rules: Rules,
): Promise<PendingEvent[]> {
  const audience = await userAudience(tx, realm, user, rules);
  return changes.map((change) =>
    toAudience(
      events.realmUser.update({ person: { user_id: user.id, custom_profile_field: change } }),
      audience,
    ),
  );
}
