import { type Tx, type UserGroupRow, tables } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { isAmong, isId } from '../ids.ts';
import { isNamed } from '../is-named.ts';

const { userGroups } = tables;

/** Returns all groups of a realm, by their ids. */
export async function listUserGroups(tx: Tx, realmId: number): Promise<UserGroupRow[]> {
  return await tx.select().from(userGroups).where(eq(userGroups.realmId, realmId)).orderBy(userGroups.id);
}

/** Returns those of a realm's groups that have one of these ids. */
export async function listUserGroupsById(tx: Tx, realmId: number, ids: number[]): Promise<UserGroupRow[]> {
  const known = ids.filter(isId);
  if (known.length === 0) return [];
  return await tx
    .select()
    .from(userGroups)
    .where(and(eq(userGroups.realmId, realmId), isAmong(userGroups.id, known)))
    .orderBy(userGroups.id);
}

/** Returns those of a realm's groups that have one of these names (case-insensitive). */
export async function listUserGroupsByName(
  tx: Tx,
  realmId: number,
  names: readonly string[],
): Promise<UserGroupRow[]> {
  if (names.length === 0) return [];
  return await tx
    .select()
    .from(userGroups)
    .where(and(eq(userGroups.realmId, realmId), isNamed(userGroups.name, names)))
    .orderBy(userGroups.id);
}

/**
 * Returns a group of the realm, deactivated or not.
 *
 * @throws BAD_REQUEST if there is none
 */
export async function getUserGroup(tx: Tx, realmId: number, id: number): Promise<UserGroupRow> {
  const [group] = await listUserGroupsById(tx, realmId, [id]);
  if (!group) throw new ApiError('BAD_REQUEST', 'This user group does not exist.');
  return group;
}
