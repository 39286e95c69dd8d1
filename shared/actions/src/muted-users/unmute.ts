import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockUser } from '../lock.ts';

/**
 * Unmutes a user. Messages that became read stay read.
 *
 * @throws BAD_REQUEST for a user whom the actor may not see, or who is not muted
 */
export async function unmute(
  tx: Tx,
  { actor, userId }: { actor: Actor; userId: number },
): Promise<ActionResult> {
  const user = await model.users.getUser(tx, actor, userId);
  await lockUser(tx, actor);
  const { mutedUsers } = tables;
  const row = and(isOfUser(mutedUsers, actor), eq(mutedUsers.mutedUserId, user.id));
  const removed = await tx.delete(mutedUsers).where(row).returning();
  if (removed.length === 0) throw new ApiError('BAD_REQUEST', 'You have not muted this user.');
  const list = events.mutedUsers({ muted_users: await model.mutedUsers.mutedUsersState(tx, actor) });
  return { events: [to.user(actor, list)], changesRules: true };
}
unmute.actionName = 'mutedUsers.unmute' as const;
