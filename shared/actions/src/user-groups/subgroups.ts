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
  if (missing !== undefined) throw badRequest(`There is no user group with the id ${missing}.`);
  if (groups.some(({ isDeactivated }) => isDeactivated)) throw badRequest('This user group is deactivated.');
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
    throw badRequest(`The group with the id ${repeated} is already a subgroup of this group.`);
  }
  if (ids.some((id) => rules.groups.within(id).has(group.id))) {
    throw badRequest(`The group with the id ${group.id} already contains one of these groups.`);
  }
}

/**
 * Refuses groups that are not subgroups of a group, which has the subgroups `current`.
 *
 * @throws BAD_REQUEST for such a group
 */
export function assertContains(current: readonly number[], ids: number[]): void {
  const missing = ids.find((id) => !current.includes(id));
  if (missing !== undefined)
    throw badRequest(`The group with the id ${missing} is not a subgroup of this group.`);
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
