import type { GroupSetting } from '@parley/protocol';

import { type Member, type SystemGroupName, isInSystemGroup } from './system-groups.ts';

/** A group of a realm, with everything that its membership depends on. */
export interface Group {
  id: number;
  name: string;
  /** The direct members and subgroups; null of a system group, whose members follow from roles. */
  own: { members: ReadonlySet<number>; subgroups: readonly number[] } | null;
}

export type Groups = ReadonlyMap<number, Group>;

/**
 * Whether a user is in the group that a setting names, or among the users and groups that it lists. Members of
 * subgroups count. Each group is visited once, so a cycle of subgroups does no harm.
 */
export function isIncluded(user: Member, setting: GroupSetting, groups: Groups): boolean {
  if (typeof setting !== 'number' && setting.direct_members.includes(user.id)) return true;
  const visited = new Set<number>();
  const remaining = typeof setting === 'number' ? [setting] : [...setting.direct_subgroups];
  for (let id = remaining.pop(); id !== undefined; id = remaining.pop()) {
    const group = visited.has(id) ? undefined : groups.get(id);
    visited.add(id);
    if (!group) continue;
    if (!group.own) {
      // Safe: groups without members of their own are the realm's system groups.
      if (isInSystemGroup(user, group.name as SystemGroupName)) return true;
      continue;
    }
    if (group.own.members.has(user.id)) return true;
    remaining.push(...group.own.subgroups);
  }
  return false;
}
