import { tables, type Tx, type UserRow } from '@parley/db';
import { type UserStatus, ApiError } from '@parley/protocol';
import { eq, getTableColumns, and, inArray } from 'drizzle-orm';

import { inaccessibleUserIds } from '../access/users.ts';
import type { Actor } from '../actor.ts';
import { getUser } from '../users/find.ts';

const { userStatuses, users } = tables;

type Row = typeof userStatuses.$inferSelect;

const presentStatus = ({ away, text, emojiName, emojiCode, reactionType }: Row): UserStatus => ({
  ...(away && { away }),
  ...(text !== '' && { status_text: text }),
  ...(emojiName !== '' && { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType }),
});

/** A person of the organization; bots have no status. */
async function getHuman(tx: Tx, viewer: Actor, userId: number): Promise<UserRow> {
  const user = await getUser(tx, viewer, userId);
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'No such user');
  return user;
}

/** A person whose status may be changed. */
export async function getActiveHuman(tx: Tx, actor: Actor, userId: number): Promise<UserRow> {
  const user = await getHuman(tx, actor, userId);
  if (!user.isActive) throw new ApiError('BAD_REQUEST', 'User is deactivated');
  return user;
}

export async function getUserStatus(tx: Tx, actor: Actor, userId: number): Promise<UserStatus> {
  const user = await getHuman(tx, actor, userId);
  const [row] = await tx.select().from(userStatuses).where(eq(userStatuses.userId, user.id));
  return row ? presentStatus(row) : {};
}

/** `user_status` of POST /register: of those whom the actor sees and who have set something. */
export async function userStatusState(tx: Tx, actor: Actor): Promise<Record<string, UserStatus>> {
  const set = await listUserStatuses(tx, actor.realm.id);
  const unseen = await inaccessibleUserIds(tx, actor, [...set.keys()]);
  return Object.fromEntries([...set].filter(([id]) => !unseen.has(id)));
}

/** What the people of a realm say about themselves, those with these ids or all; who says nothing is not in it. */
export async function listUserStatuses(
  tx: Tx,
  realmId: number,
  ids: number[] | null = null,
): Promise<Map<number, UserStatus>> {
  const rows = await tx
    .select(getTableColumns(userStatuses))
    .from(userStatuses)
    .innerJoin(users, eq(users.id, userStatuses.userId))
    .where(and(eq(users.realmId, realmId), ids ? inArray(users.id, [0, ...ids]) : undefined))
    .orderBy(userStatuses.userId);
  const set = rows.map((row) => [row.userId, presentStatus(row)] as const);
  return new Map(set.filter(([, status]) => Object.keys(status).length > 0));
}
