import type { GroupSetting } from '@parley/protocol';

import { type Member, type SystemGroupName, isInSystemGroup } from './system-groups.ts';

/** How the groups of a realm contain each other. Who is a direct member of which group, each user's row says. */
export interface Groups {
  /** Whether a user is in the group that a setting names, or among the users and groups that it lists. */
  includes(setting: GroupSetting, user: Member): boolean;
  /** The ids of a group and of all groups in it. What system groups contain is not among them. */
  within(id: number): ReadonlySet<number>;
  /** The ids of a group and of all groups that contain it, system groups not among them. */
  containing(id: number): ReadonlySet<number>;
  /** The name of a system group; undefined of any other id. */
  systemName(id: number): SystemGroupName | undefined;
}

/** A group that contains another directly, and that other one. */
export type Subgroup = readonly [group: number, subgroup: number];

/**
 * Creates an index of groups, in which members of subgroups count. Each group is visited once, so that a cycle of
 * subgroups does no harm.
 */
export function createGroups(
  systemNames: ReadonlyMap<number, SystemGroupName>,
  subgroups: readonly Subgroup[],
): Groups {
  const below = neighbours(subgroups);
  const above = neighbours(subgroups.map(([group, subgroup]) => [subgroup, group]));
  const within = reachable(below);

  function isInGroup(id: number, user: Member): boolean {
    const ids = within(id);
    if (user.groupIds.some((groupId) => ids.has(groupId))) return true;
    for (const each of ids) {
      const name = systemNames.get(each);
      if (name !== undefined && isInSystemGroup(user, name)) return true;
    }
    return false;
  }
  return {
    within,
    containing: reachable(above),
    systemName: (id) => systemNames.get(id),
    includes: (setting, user) =>
      typeof setting === 'number'
        ? isInGroup(setting, user)
        : setting.direct_members.includes(user.id) ||
          setting.direct_subgroups.some((id) => isInGroup(id, user)),
  };
}

function neighbours(pairs: readonly Subgroup[]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  for (const [from, to] of pairs) {
    const list = lists.get(from);
    if (list) list.push(to);
    else lists.set(from, [to]);
  }
  return lists;
}

/**
 * Finds everything that an id leads to, itself included. Answers are remembered as long as they take about as much memory
 * as the lists: those of a chain of groups would take the square of it.
 */
function reachable(lists: ReadonlyMap<number, number[]>): (id: number) => ReadonlySet<number> {
  const known = new Map<number, ReadonlySet<number>>();
  const knownMax = 100 + lists.size * 2;
  let knownCount = 0;
  return (start) => {
    const before = known.get(start);
    if (before) return before;
    // A set is walked through to its end, also while it grows.
    const ids = new Set([start]);
    for (const id of ids) for (const next of lists.get(id) ?? []) ids.add(next);
    if (!lists.has(start)) return ids;
    if (knownCount + ids.size > knownMax) {
      known.clear();
      knownCount = 0;
    }
    known.set(start, ids);
    knownCount += ids.size;
    return ids;
  };
}
