import { type Tx, type UserRow, tables } from '@parley/db';
import { type Actor, isAdministrator, isOfUser, type Realm } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PendingEvent, ApiError, type ProfileValue, events } from '@parley/protocol';
import { eq, and } from 'drizzle-orm';

import { lockUser } from '../lock.ts';
import { lockFieldsForShare } from './lock.ts';
import { type FieldValueInput, parseFieldValue } from './value.ts';

/** A user's new value of one field. */
export interface FieldInput {
  id: number;
  value: FieldValueInput;
}

/**
 * Sets or clears values of the actor's custom profile fields.
 *
 * @throws BAD_REQUEST for a bot, a field that does not exist, one that only administrators may change, or a value that
 * it cannot have
 */
export async function set(
  tx: Tx,
  { actor, inputs }: { actor: Actor; inputs: FieldInput[] },
): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  const user = await lockUser(tx, actor);
  return { events: await setFields(tx, actor, user, inputs) };
}
set.actionName = 'profileFields.set' as const;

/**
 * Sets or clears values of a user's custom profile fields. The caller has locked the user's row.
 *
 * @throws BAD_REQUEST for a field that does not exist, one that the actor may not change, or a value that it cannot have
 */
export async function setFields(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  inputs: FieldInput[],
): Promise<PendingEvent[]> {
  const { customProfileValues } = tables;
  const fields = await lockFieldsForShare(tx, actor.realm.id);
  const ofUser = isOfUser(customProfileValues, { id: user.id, realm: actor.realm });
  const rows = await tx.select().from(customProfileValues).where(ofUser);
  const before = new Map(rows.map((row) => [row.fieldId, row]));
  const changes: Change[] = [];
  // Of two values for one field, the last counts.
  for (const { id, value } of new Map(inputs.map((input) => [input.id, input])).values()) {
    const field = model.profileFields.getProfileField(fields, id);
    if (!field.isEditableByUser && !isAdministrator(actor)) {
      const msg = 'Only administrators can change this field.';
      throw new ApiError('BAD_REQUEST', msg);
    }
    const parsed = await parseFieldValue(tx, actor, field, value);
    if (parsed?.value === before.get(id)?.value) continue;
    if (parsed) {
      await tx
        .insert(customProfileValues)
        .values({ realmId: actor.realm.id, userId: user.id, fieldId: id, ...parsed })
        .onConflictDoUpdate({
          target: [customProfileValues.realmId, customProfileValues.userId, customProfileValues.fieldId],
          set: parsed,
        });
    } else await tx.delete(customProfileValues).where(and(ofUser, eq(customProfileValues.fieldId, id)));
    changes.push({ id, ...(parsed ? model.profileFields.presentProfileValue(parsed) : { value: null }) });
  }
  if (changes.length === 0) return [];
  return await profileValueEvents(
    tx,
    actor.realm,
    user,
    changes,
    await model.permissions.getRules(tx, actor.realm.id),
  );
}

type Change = { id: number } & (ProfileValue | { value: null });

/** Returns events of changes to a user's profile, one per field, for everyone who may see the user. */
export async function profileValueEvents(
  tx: Tx,
  realm: Realm,
  user: UserRow,
  changes: Change[],
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const audience = await model.access.userAudience(tx, realm, user, rules);
  return changes.map((change) =>
    model.access.toAudience(
      events.realmUser.update({ person: { user_id: user.id, custom_profile_field: change } }),
      audience,
    ),
  );
}
