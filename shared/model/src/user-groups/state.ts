import { type Tx, tables } from '@parley/db';
import { and, eq } from 'drizzle-orm';

import { systemGroupsOf, systemGroups } from '../permissions/system-groups.ts';
import { listUserGroups } from './find.ts';

/** `realm_user_groups` of POST /register: the system groups with their members. */
export async function userGroupsState(tx: Tx, realmId: number) {
  const { users } = tables;
  const [groups, people] = [
    await listUserGroups(tx, realmId),
    await tx
      .select({ id: users.id, role: users.role, isFullMember: users.isFullMember })
      .from(users)
      .where(and(eq(users.realmId, realmId), eq(users.isActive, true), eq(users.isSystem, false)))
      .orderBy(users.id),
  ];
  const idByName = new Map(groups.map(({ id, name }) => [name, id]));
  const nobody = idByName.get('role:nobody') ?? 0;
  const members = new Map<string, number[]>(groups.map(({ name }) => [name, []]));
  for (const person of people) {
    for (const name of systemGroupsOf(person)) members.get(name)?.push(person.id);
  }
  return groups.map(({ id, name, description, isSystem }) => {
    const below = systemGroups[systemGroups.findIndex((group) => group.name === name) - 1];
    return {
      id,
      name,
      description,
      creator_id: null,
      date_created: null,
      members: members.get(name) ?? [],
      direct_subgroup_ids: below && name !== 'role:nobody' ? [idByName.get(below.name) ?? 0] : [],
      is_system_group: isSystem,
      deactivated: false,
      can_add_members_group: nobody,
      can_join_group: nobody,
      can_leave_group: nobody,
      can_manage_group: nobody,
      can_mention_group: nobody,
      can_remove_members_group: nobody,
    };
  });
}
