import type { UserGroupRow } from '@parley/db';
import { type UserGroup, type UserGroupSettings, userGroupNames } from '@parley/protocol';

import type { Rules } from '../permissions/rules.ts';
import { toSeconds } from '../time.ts';

/** Returns the permissions of a group. Those of a system group are nobody's. */
export function permissionsOf({ groupSettings }: UserGroupRow, { groupId }: Rules): UserGroupSettings {
  if (groupSettings) return groupSettings;
  const nobody = groupId('role:nobody');
  // Safe: an entry for each permission.
  return Object.fromEntries(userGroupNames.map((name) => [name, nobody])) as UserGroupSettings;
}

/** Returns a group as API object. `members` and `subgroups` are direct ones, ascending. */
export function presentUserGroup(
  group: UserGroupRow,
  { members, subgroups }: { members: number[]; subgroups: number[] },
  rules: Rules,
): UserGroup {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creatorId,
    date_created: group.createdAt && toSeconds(group.createdAt),
    members,
    direct_subgroup_ids: subgroups,
    is_system_group: group.isSystem,
    deactivated: group.isDeactivated,
    ...permissionsOf(group, rules),
  };
}
