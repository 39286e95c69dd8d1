import { type Tx, tables } from '@parley/db';
import { isAmong } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import type { LockedGroup } from './permissions.ts';

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

/**
 * Refuses ids of groups that cannot be subgroups.
 *
 * @throws BAD_REQUEST for a group that does not exist or is deactivated
 */
export async function assertUsableGroups(tx: Tx, realmId: number, ids: number[]): Promise<void> {
  const groups = await model.userGroups.listUserGroupsById(tx, realmId, ids);
  const known = new Set(groups.map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw badRequest(`Invalid user group ID: ${missing}`);
  if (groups.some(({ isDeactivated }) => isDeactivated)) throw badRequest('User group is deactivated.');
}

/**
 * Refuses groups that cannot become subgroups of a group, which has the subgroups `current`.
 *
 * @throws BAD_REQUEST for a group that does not exist, is deactivated, is a subgroup already, or contains the group
 */
export async function assertMayContain(
  tx: Tx,
  { group, rules }: LockedGroup,
  current: readonly number[],
  ids: number[],
): Promise<void> {
  await assertUsableGroups(tx, group.realmId, ids);
  const repeated = ids.find((id) => current.includes(id));
  if (repeated !== undefined) {
    throw badRequest(`User group ${repeated} is already a subgroup of this group.`);
  }
  if (ids.some((id) => rules.groups.within(id).has(group.id))) {
    throw badRequest(`User group ${group.id} is already a subgroup of one of the passed subgroups.`);
  }
}

/**
 * Refuses groups that are not subgroups of a group, which has the subgroups `current`.
 *
 * @throws BAD_REQUEST for such a group
 */
export function assertContains(current: readonly number[], ids: number[]): void {
  const missing = ids.find((id) => !current.includes(id));
  if (missing !== undefined) throw badRequest(`User group ${missing} is not a subgroup of this group.`);
}

/** Writes that a group contains others. The caller has locked the groups. */
export async function insertSubgroups(
  tx: Tx,
  { id, realmId }: { id: number; realmId: number },
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = ids.map((subgroupId) => ({ realmId, groupId: id, subgroupId }));
  await tx.insert(tables.userGroupSubgroups).values(rows);
}

/** Writes that a group no longer contains others. The caller has locked the groups. */
export async function deleteSubgroups(
  tx: Tx,
  { id, realmId }: { id: number; realmId: number },
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return;
  const { userGroupSubgroups: subgroups } = tables;
  await tx
    .delete(subgroups)
    .where(
      and(eq(subgroups.realmId, realmId), eq(subgroups.groupId, id), isAmong(subgroups.subgroupId, ids)),
    );
}
