import { type Tx, tables } from '@parley/db';
import { ApiError, type UserStatus } from '@parley/protocol';
import { and, eq, getTableColumns, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { type UserRow, getUser } from '../users/find.ts';
import { listUnseen } from '../users/seen.ts';

const { userStatuses, users } = tables;

type Row = typeof userStatuses.$inferSelect;

const presentStatus = ({ away, text, emojiName, emojiCode, reactionType }: Row): UserStatus => ({
  ...(away && { away }),
  ...(text !== '' && { status_text: text }),
  ...(emojiName !== '' && { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType }),
});

/** A person of the organization; bots have no status. */
async function getPerson(tx: Tx, viewer: Actor, userId: number): Promise<UserRow> {
  const user = await getUser(tx, viewer, userId);
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'No such user');
  return user;
}

/** A person whose status may be changed. */
export async function getActivePerson(tx: Tx, actor: Actor, userId: number): Promise<UserRow> {
  const user = await getPerson(tx, actor, userId);
  if (!user.isActive) throw new ApiError('BAD_REQUEST', 'User is deactivated');
  return user;
}

export async function getStatus(tx: Tx, actor: Actor, userId: number): Promise<UserStatus> {
  const user = await getPerson(tx, actor, userId);
  const [row] = await tx.select().from(userStatuses).where(eq(userStatuses.userId, user.id));
  return row ? presentStatus(row) : {};
}

/** `user_status` of POST /register: of those whom the actor sees and who have set something. */
export async function statusesState(tx: Tx, actor: Actor): Promise<Record<string, UserStatus>> {
  const set = await listStatuses(tx, actor.realm.id);
  const unseen = await listUnseen(tx, actor, [...set.keys()]);
  return Object.fromEntries([...set].filter(([id]) => !unseen.has(id)));
}

/** What the people of a realm say about themselves, those with these ids or all; who says nothing is not in it. */
export async function listStatuses(
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
