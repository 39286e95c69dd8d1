import { type Tx, tables } from '@parley/db';
import type { UserGroup } from '@parley/protocol';
import { asc, eq } from 'drizzle-orm';

import { getRules } from '../permissions/rules.ts';
import { systemGroupBelow } from '../permissions/system-groups.ts';
import { listUserGroups } from './find.ts';
import { listAllDirectMembers } from './members.ts';
import { presentUserGroup } from './present.ts';

/** Returns `realm_user_groups` of POST /register: the groups with their members, by their ids. */
export async function userGroupsState(
  tx: Tx,
  realmId: number,
  { withDeactivated }: { withDeactivated: boolean },
): Promise<UserGroup[]> {
  const rules = await getRules(tx, realmId);
  const groups = await listUserGroups(tx, realmId);
  const members = await listAllDirectMembers(tx, realmId, rules);
  const subgroups = await listAllSubgroups(tx, realmId);
  return groups
    .filter(({ isDeactivated }) => withDeactivated || !isDeactivated)
    .map((group) => {
      const system = rules.groups.systemName(group.id);
      const below = system && systemGroupBelow(system);
      const direct = {
        members: members.get(group.id) ?? [],
        subgroups: below ? [rules.groupId(below)] : (subgroups.get(group.id) ?? []),
      };
      return presentUserGroup(group, direct, rules);
    });
}

async function listAllSubgroups(tx: Tx, realmId: number): Promise<Map<number, number[]>> {
  const { userGroupSubgroups } = tables;
  const { groupId, subgroupId } = userGroupSubgroups;
  const rows = await tx
    .select({ groupId, subgroupId })
    .from(userGroupSubgroups)
    .where(eq(userGroupSubgroups.realmId, realmId))
    .orderBy(asc(subgroupId));
  const lists = new Map<number, number[]>();
  for (const row of rows) lists.set(row.groupId, [...(lists.get(row.groupId) ?? []), row.subgroupId]);
  return lists;
}
