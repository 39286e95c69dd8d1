import { tables, type Tx, type UserRow } from '@parley/db';
import { type UserStatus, ApiError } from '@parley/protocol';
import { eq, and } from 'drizzle-orm';

import { inaccessibleUserIds } from '../access/users.ts';
import type { Actor } from '../actor.ts';
import { isAmong, isOfUser } from '../ids.ts';
import { getUser } from '../users/find.ts';

const { userStatuses } = tables;

type Row = typeof userStatuses.$inferSelect;

const presentStatus = ({ away, text, emojiName, emojiCode, reactionType }: Row): UserStatus => ({
  ...(away && { away }),
  ...(text !== '' && { status_text: text }),
  ...(emojiName !== '' && { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType }),
});

/**
 * A user who is not a bot. Bots have no status.
 *
 * @throws BAD_REQUEST for a bot, and for a user whom the viewer may not access
 */
async function getHuman(tx: Tx, viewer: Actor, userId: number): Promise<UserRow> {
  const user = await getUser(tx, viewer, userId);
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'This user does not exist.');
  return user;
}

/**
 * Returns an active user who is not a bot: one whose status may be changed.
 *
 * @throws BAD_REQUEST for any other user
 */
export async function getActiveHuman(tx: Tx, actor: Actor, userId: number): Promise<UserRow> {
  const user = await getHuman(tx, actor, userId);
  if (!user.isActive) throw new ApiError('BAD_REQUEST', 'This user is deactivated.');
  return user;
}

/** @throws BAD_REQUEST for a bot, and for a user whom the actor may not access */
export async function getUserStatus(tx: Tx, actor: Actor, userId: number): Promise<UserStatus> {
  const user = await getHuman(tx, actor, userId);
  const [row] = await tx
    .select()
    .from(userStatuses)
    .where(isOfUser(userStatuses, { id: user.id, realm: actor.realm }));
  return row ? presentStatus(row) : {};
}

/**
 * Returns `user_status` of POST /register: the statuses of all users whom the actor may access and who have set one.
 */
export async function userStatusState(tx: Tx, actor: Actor): Promise<Record<string, UserStatus>> {
  const statuses = await listUserStatuses(tx, actor.realm.id);
  const inaccessibleIds = await inaccessibleUserIds(tx, actor, [...statuses.keys()]);
  return Object.fromEntries([...statuses].filter(([id]) => !inaccessibleIds.has(id)));
}

/** Statuses by user id, of the given users or of all users of a realm. Users without a status are left out. */
export async function listUserStatuses(
  tx: Tx,
  realmId: number,
  ids: number[] | null = null,
): Promise<Map<number, UserStatus>> {
  const rows = await tx
    .select()
    .from(userStatuses)
    .where(
      and(eq(userStatuses.realmId, realmId), ids ? isAmong(userStatuses.userId, [0, ...ids]) : undefined),
    )
    .orderBy(userStatuses.userId);
  const statuses = rows.map((row) => [row.userId, presentStatus(row)] as const);
  return new Map(statuses.filter(([, status]) => Object.keys(status).length > 0));
}
