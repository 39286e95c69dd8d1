import { type Tx, tables } from '@parley/db';
import { type Actor, isAdministrator } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { cancelDeletion, scheduleDeletion, immediately } from '../files/index.ts';
import { userChangeEvents } from './events.ts';

const { users } = tables;

/**
 * Refuses an actor who may not change their avatar; returns the rules by which it was decided.
 *
 * @throws BAD_REQUEST where the realm's administrators alone may
 */
export async function assertMayChangeAvatar(tx: Tx, actor: Actor): Promise<model.permissions.Rules> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  if (rules.settings.avatar_changes_disabled && !isAdministrator(actor)) {
    throw new ApiError('BAD_REQUEST', 'This organization does not let people change their avatars.');
  }
  return rules;
}

/**
 * Sets the actor's avatar to a picture in the file store; null brings back their gravatar.
 *
 * @throws BAD_REQUEST where the realm's administrators alone may
 */
export async function changeAvatar(tx: Tx, { actor, path }: { actor: Actor; path: string | null }) {
  const rules = await assertMayChangeAvatar(tx, actor);
  const isActor = and(eq(users.id, actor.id), eq(users.realmId, actor.realm.id));
  // Two changes at once take turns, so that each deletes the picture that it replaces.
  const [before] = await tx.select().from(users).where(isActor).for('no key update');
  if (!before) throw new Error(`User ${actor.id} acted and does not exist.`);
  if (path === before.avatarPath) return { events: [], user: before };

  const [user] = await tx
    .update(users)
    .set({ avatarPath: path, avatarVersion: sql`${users.avatarVersion} + 1` })
    .where(isActor)
    .returning();
  if (!user) throw new Error(`User ${actor.id} acted and does not exist.`);
  if (path !== null) await cancelDeletion(tx, [model.files.avatarPlace(path).folder]);
  if (before.avatarPath !== null)
    await scheduleDeletion(tx, {
      folder: model.files.avatarPlace(before.avatarPath).folder,
      removeAfter: immediately,
    });
  // Messages hold the sender's avatar, so plans for sending are made anew.
  return { events: await userChangeEvents(tx, actor.realm, before, user, rules), changesRules: true, user };
}
changeAvatar.actionName = 'users.changeAvatar' as const;
