import type { GroupSetting } from '@parley/protocol';

import { systemGroups } from './system.ts';

interface Group {
  id: number;
  name: string;
}

/** Whether a user is in the group, or among the people and groups, that a setting names. */
export function isIncluded(
  user: { id: number; role: number },
  setting: GroupSetting,
  groups: readonly Group[],
): boolean {
  if (typeof setting === 'number') {
    const name = groups.find(({ id }) => id === setting)?.name;
    const system = systemGroups.find((group) => group.name === name);
    return system !== undefined && user.role <= system.roleMax;
  }
  if (setting.direct_members.includes(user.id)) return true;
  return setting.direct_subgroups.some((id) => isIncluded(user, id, groups));
}
