import { type Tx, tables } from '@parley/db';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { markSenderRead } from '../messages/change-flags.ts';
import { getUser } from '../users/find.ts';
import { getLockedUser } from '../users/hold.ts';
import { mutedUsersState } from './state.ts';

/** Mutes somebody: what they have sent is read, and what they send comes as read. */
export async function mute(tx: Tx, actor: Actor, userId: number): Promise<ActionResult> {
  if (userId === actor.id) throw new ApiError('BAD_REQUEST', 'Cannot mute self');
  const user = await getUser(tx, actor, userId);
  await getLockedUser(tx, actor);
  const { mutedUsers } = tables;
  const row = { userId: actor.id, mutedUserId: user.id };
  const [muted] = await tx.insert(mutedUsers).values(row).onConflictDoNothing().returning();
  if (!muted) throw new ApiError('BAD_REQUEST', 'User already muted');
  const read = await markSenderRead(tx, actor, user.id);
  const list = events.mutedUsers({ muted_users: await mutedUsersState(tx, actor.id) });
  return { events: [...read.events, to.user(actor, list)] };
}
