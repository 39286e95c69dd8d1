import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';

import { lockUser } from '../lock.ts';
import { markSenderRead } from '../messages/index.ts';

/**
 * Mutes a user: the messages that they have sent become read, and those that they send arrive as read.
 *
 * @throws BAD_REQUEST for the actor, a user whom the actor may not see, or one who is muted already
 */
export async function mute(
  tx: Tx,
  { actor, userId }: { actor: Actor; userId: number },
): Promise<ActionResult> {
  if (userId === actor.id) throw new ApiError('BAD_REQUEST', 'You cannot mute yourself.');
  const user = await model.users.getUser(tx, actor, userId);
  await lockUser(tx, actor);
  const { mutedUsers } = tables;
  const row = { realmId: actor.realm.id, userId: actor.id, mutedUserId: user.id };
  const [muted] = await tx.insert(mutedUsers).values(row).onConflictDoNothing().returning();
  if (!muted) throw new ApiError('BAD_REQUEST', 'You have already muted this user.');
  const read = await markSenderRead(tx, actor, user.id);
  const list = events.mutedUsers({ muted_users: await model.mutedUsers.mutedUsersState(tx, actor) });
  return { events: [...read.events, to.user(actor, list)], changesRules: true };
}
mute.actionName = 'mutedUsers.mute' as const;
