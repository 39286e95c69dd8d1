import { type Tx, tables } from '@parley/db';
import { ApiError, roles } from '@parley/protocol';
import { sql, eq, and } from 'drizzle-orm';

import { type Actor, isGuest } from '../actor.ts';
import { intArray } from '../ids.ts';
import { type Rules, getRules } from '../permissions/rules.ts';
import { isSpectator } from '../realms/spectator.ts';

/** Returns whether guests may access only users they share a conversation with (`can_access_all_users_group`). */
export const restrictsGuests = (rules: Rules) =>
  rules.groupSetting('can_access_all_users_group') !== rules.groupId('role:everyone');

interface AccessOptions {
  /** Restricts the answer to these users. */
  among?: number[];
  /** Conversations that give no access. */
  without?: number[];
  /** Whether guests may access the bots that they own. */
  withOwnBots?: boolean;
}

/**
 * Returns the ids of the users whom each guest may access: subscribers of the guest's channels (deactivated ones too),
 * everyone in a direct message conversation of theirs that has messages, their bots, system bots, and themselves.
 */
export async function accessibleUserIds(
  tx: Tx,
  realmId: number,
  guests: number[],
  { among, without = [], withOwnBots = true }: AccessOptions = {},
): Promise<Map<number, Set<number>>> {
  const accessibleIds = new Map(guests.map((id) => [id, new Set([id])]));
  if (guests.length === 0) return accessibleIds;
  const isAmong = among ? sql`u.id = any(${intArray(among)})` : sql`true`;
  const rows = await tx.execute<{ guest: number; id: number }>(sql`
    select distinct a.user_id as guest, u.id
    from conversation_members a
    join conversations c on c.realm_id = a.realm_id and c.id = a.conversation_id
    join conversation_heads h on h.realm_id = a.realm_id and h.conversation_id = a.conversation_id
    join conversation_members b on b.realm_id = a.realm_id and b.conversation_id = a.conversation_id
    join users u on u.realm_id = a.realm_id and u.id = b.user_id
    where a.realm_id = ${realmId} and a.user_id = any(${intArray(guests)}) and ${isAmong}
      and a.conversation_id <> all(${`{${without.join(',')}}`}::bigint[])
      and case when c.people is null then a.is_subscribed and b.is_subscribed else h.ordinal > 0 end
    union
    select g.id, u.id from users g join users u on u.realm_id = g.realm_id and (u.is_system or (${withOwnBots} and u.bot_owner_id = g.id))
    where g.realm_id = ${realmId} and g.id = any(${intArray(guests)}) and ${isAmong}`);
  for (const { guest, id } of rows) accessibleIds.get(guest)?.add(id);
  return accessibleIds;
}

/** Returns the ids of those users whom a viewer may not access. Only guests can be restricted. */
export async function inaccessibleUserIds(tx: Tx, viewer: Actor, ids: number[]): Promise<Set<number>> {
  if (!isGuest(viewer) || isSpectator(viewer) || ids.length === 0) return new Set();
  if (!restrictsGuests(await getRules(tx, viewer.realm.id))) return new Set();
  const accessibleIds = (await accessibleUserIds(tx, viewer.realm.id, [viewer.id], { among: ids })).get(
    viewer.id,
  );
  return new Set(ids.filter((id) => !accessibleIds?.has(id)));
}

/** Returns the rows of those users whom the viewer may access. */
export async function filterAccessible<Row extends { id: number }>(
  tx: Tx,
  viewer: Actor,
  rows: Row[],
): Promise<Row[]> {
  const inaccessibleIds = await inaccessibleUserIds(
    tx,
    viewer,
    rows.map(({ id }) => id),
  );
  return rows.filter(({ id }) => !inaccessibleIds.has(id));
}

/** @throws BAD_REQUEST for a guest who may not access the user */
export async function assertCanAccessUser(tx: Tx, viewer: Actor, { id }: { id: number }): Promise<void> {
  if ((await inaccessibleUserIds(tx, viewer, [id])).size > 0)
    throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
}

/**
 * Returns the ids of active guests in a channel who may not access a user: they see the user's messages as an unknown
 * user's.
 */
export async function subscribersWithoutAccess(
  tx: Tx,
  rules: Rules,
  { realmId, conversationId }: { realmId: number; conversationId: number },
  user: { id: number },
): Promise<number[]> {
  if (!restrictsGuests(rules)) return [];
  const { conversationMembers, users } = tables;
  const guests = await tx
    .select({ id: users.id })
    .from(conversationMembers)
    .innerJoin(users, and(eq(users.realmId, realmId), eq(users.id, conversationMembers.userId)))
    .where(
      and(
        eq(conversationMembers.realmId, realmId),
        eq(conversationMembers.conversationId, conversationId),
        conversationMembers.isSubscribed,
        users.isActive,
        eq(users.role, roles.guest),
      ),
    )
    .orderBy(users.id);
  const ids = guests.map(({ id }) => id);
  const accessibleIds = await accessibleUserIds(tx, realmId, ids, { among: [user.id] });
  return ids.filter((id) => !accessibleIds.get(id)?.has(user.id));
}
