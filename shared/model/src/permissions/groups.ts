import type { GroupSetting } from '@parley/protocol';

import { type Member, type SystemGroupName, isInSystemGroup } from './system-groups.ts';

/** A group of a realm, with all that membership of it depends on. */
export interface Group {
  id: number;
  name: string;
  /** Null where members follow from roles. */
  own: { members: ReadonlySet<number>; subgroups: readonly number[] } | null;
}

export type Groups = ReadonlyMap<number, Group>;

/**
 * Whether a user is in the group that a setting names, or among the people and groups that it lists. Members of
 * subgroups count. Each group is looked at once, so groups that contain each other cost nothing and include nobody more.
 */
export function isIncluded(user: Member, setting: GroupSetting, groups: Groups): boolean {
  if (typeof setting !== 'number' && setting.direct_members.includes(user.id)) return true;
  const visited = new Set<number>();
  const left = typeof setting === 'number' ? [setting] : [...setting.direct_subgroups];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    const group = visited.has(id) ? undefined : groups.get(id);
    visited.add(id);
    if (!group) continue;
    if (!group.own) {
      // Safe: groups without members of their own are the realm's system groups.
      if (isInSystemGroup(user, group.name as SystemGroupName)) return true;
      continue;
    }
    if (group.own.members.has(user.id)) return true;
    left.push(...group.own.subgroups);
  }
  return false;
}
