import { type Tx, tables } from '@parley/db';
import { ApiError, type ActionResult, type Draft, type ProfileValue, events } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { type Actor, type Realm, isAdministrator } from '../actor.ts';
import { type Rules, getRules } from '../realms/rules.ts';
import type { UserRow } from '../users/find.ts';
import { getLockedUser } from '../users/hold.ts';
import { audienceOf, draft } from '../users/sight.ts';
import { getField, holdFields } from './find.ts';
import { presentValue } from './profiles.ts';
import { type GivenValue, settleValue } from './value.ts';

/** What a field of somebody's is to hold. */
export interface Filling {
  id: number;
  value: GivenValue;
}

/** Fills in, or clears, fields of the actor's own profile. */
export async function set(tx: Tx, actor: Actor, fillings: Filling[]): Promise<ActionResult> {
  const user = await getLockedUser(tx, actor);
  return { events: await fill(tx, actor, user, fillings), keepsRules: true };
}

/** Fills in fields of a user whose row the caller holds. */
export async function fill(tx: Tx, actor: Actor, user: UserRow, fillings: Filling[]): Promise<Draft[]> {
  const { customProfileValues } = tables;
  const fields = await holdFields(tx, actor.realm.id);
  const mine = eq(customProfileValues.userId, user.id);
  const rows = await tx.select().from(customProfileValues).where(mine);
  const before = new Map(rows.map((row) => [row.fieldId, row]));
  const changes: Change[] = [];
  // Of two values for one field, the last holds.
  for (const { id, value } of new Map(fillings.map((filling) => [filling.id, filling])).values()) {
    const field = getField(fields, id);
    if (!field.isEditableByUser && !isAdministrator(actor)) {
      const msg = 'You are not allowed to change this field. Contact an administrator to update it.';
      throw new ApiError('BAD_REQUEST', msg);
    }
    const settled = await settleValue(tx, actor, field, value);
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
    changes.push({ id, ...(settled ? presentValue(settled) : { value: null }) });
  }
  if (changes.length === 0) return [];
  return await draftsOfValues(tx, actor.realm, user, changes, await getRules(tx, actor.realm.id));
}

type Change = { id: number } & (ProfileValue | { value: null });

/** What those who see a user are told of the user's profile: each field by itself. */
export async function draftsOfValues(
  tx: Tx,
  realm: Realm,
  user: UserRow,
  changes: Change[],
  rules: Rules,
): Promise<Draft[]> {
  const audience = await audienceOf(tx, realm, user, rules);
  return changes.map((change) =>
    draft(events.realmUser.update({ person: { user_id: user.id, custom_profile_field: change } }), audience),
  );
}
