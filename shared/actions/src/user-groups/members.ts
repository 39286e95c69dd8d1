import { type Tx, type UserRow, tables } from '@parley/db';
import { intArray, isAmong, isId } from '@parley/model';
import { ApiError, limits } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

const { users } = tables;

/** A user whose groups are being changed, as they are before the change. */
export type GroupMember = Pick<UserRow, 'id' | 'role' | 'isFullMember' | 'groupIds' | 'botType'>;

/**
 * Locks active accounts whose groups are to change, in the order of their ids.
 *
 * @throws BAD_REQUEST for an id that no active account of the realm has
 */
export async function lockMembers(tx: Tx, realmId: number, ids: number[]): Promise<GroupMember[]> {
  const { id, role, isFullMember, groupIds, botType } = users;
  const rows =
    ids.length > 0 && ids.every(isId)
      ? await tx
          .select({ id, role, isFullMember, groupIds, botType })
          .from(users)
          .where(
            and(
              eq(users.realmId, realmId),
              isAmong(users.id, ids),
              users.isActive,
              eq(users.isSystem, false),
            ),
          )
          .orderBy(users.id)
          .for('no key update')
      : [];
  const known = new Set(rows.map((row) => row.id));
  const missing = ids.find((one) => !known.has(one));
  if (missing !== undefined) throw new ApiError('BAD_REQUEST', `There is no user with the id ${missing}.`);
  return rows;
}

/**
 * Writes that users are direct members of a group. The caller has locked them, and the groups of the realm.
 *
 * @throws BAD_REQUEST if the groups of the realm have as many members as they may have
 */
export async function insertMembers(
  tx: Tx,
  { id: groupId, realmId }: { id: number; realmId: number },
  userIds: number[],
): Promise<void> {
  if (userIds.length === 0) return;
  const [row] = await tx.execute<{ memberships: number }>(sql`
    select sum(cardinality(group_ids))::float8 as memberships from users where realm_id = ${realmId}`);
  const max = limits.userGroupMembershipsPerRealm;
  if ((row?.memberships ?? 0) + userIds.length > max) {
    throw new ApiError(
      'BAD_REQUEST',
      `The user groups of an organization can have at most ${max} members in total.`,
    );
  }
  await tx.execute(sql`
    update users set group_ids = array(select distinct id from unnest(group_ids || ${groupId}::int) id order by 1)
    where users.realm_id = ${realmId} and id = any(${intArray(userIds)})`);
}

/** Writes that users are no direct members of a group. The caller has locked them. */
export async function deleteMembers(
  tx: Tx,
  { id: groupId, realmId }: { id: number; realmId: number },
  userIds: number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await tx.execute(sql`
    update users set group_ids = array_remove(group_ids, ${groupId}::int)
    where realm_id = ${realmId} and id = any(${intArray(userIds)})`);
}
