import { type Tx, tables } from '@parley/db';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getUser } from '../users/find.ts';
import { getLockedUser } from '../users/hold.ts';
import { mutedUsersState } from './state.ts';

/** Unmutes somebody. What was read stays read. */
export async function unmute(tx: Tx, actor: Actor, userId: number): Promise<ActionResult> {
  const user = await getUser(tx, actor, userId);
  await getLockedUser(tx, actor);
  const { mutedUsers } = tables;
  const row = and(eq(mutedUsers.userId, actor.id), eq(mutedUsers.mutedUserId, user.id));
  const removed = await tx.delete(mutedUsers).where(row).returning();
  if (removed.length === 0) throw new ApiError('BAD_REQUEST', 'User is not muted');
  const list = events.mutedUsers({ muted_users: await mutedUsersState(tx, actor.id) });
  return { events: [to.user(actor, list)] };
}
