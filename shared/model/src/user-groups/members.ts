import { type Tx, type UserGroupRow, tables } from '@parley/db';
import { takeBreak } from '@parley/kit';
import { roles } from '@parley/protocol';
import { type SQL, and, eq, or, sql } from 'drizzle-orm';

import { inOrder, intArray } from '../ids.ts';
import { numberLiteral } from '../number-literal.ts';
import type { Rules } from '../permissions/rules.ts';
import { type Member, systemGroupBelow, systemGroups, systemGroupsOf } from '../permissions/system-groups.ts';

const { users } = tables;

/** A condition on `users`: active accounts, without the server's own bots, which are in no group. */
const hasGroups = (realmId: number) =>
  and(eq(users.realmId, realmId), users.isActive, eq(users.isSystem, false));

/** Returns a condition on `users`: they are in one of these groups, or in a group that one of them contains. */
export function inGroupsCondition({ groups }: Rules, ids: readonly number[]): SQL {
  const all = [...new Set(ids.flatMap((id) => [...groups.within(id)]))];
  const own = all.filter((id) => groups.systemName(id) === undefined);
  const byRole = systemGroups
    .filter(({ name }) => all.some((id) => groups.systemName(id) === name))
    .map(({ name, roleMax }) => {
      const upTo = sql`${users.role} <= ${numberLiteral(roleMax)}`;
      if (name !== 'role:fullmembers') return upTo;
      return sql`(${upTo} and (${users.role} < ${numberLiteral(roles.member)} or ${users.isFullMember}))`;
    });
  return or(sql`${users.groupIds} && ${intArray(own)}`, ...byRole) ?? sql`false`;
}

/** Returns the active users in some groups, or in groups that they contain, by their ids. */
export async function listMembers(
  tx: Tx,
  realmId: number,
  rules: Rules,
  groupIds: readonly number[],
): Promise<Member[]> {
  const { id, role, isFullMember, groupIds: ownGroupIds } = users;
  return await tx
    .select({ id, role, isFullMember, groupIds: ownGroupIds })
    .from(users)
    .where(and(hasGroups(realmId), inGroupsCondition(rules, groupIds)))
    .orderBy(users.id);
}

/** Returns the ids of the active direct members of every group of a realm, by the group's id, ascending. */
export async function listAllDirectMembers(
  tx: Tx,
  realmId: number,
  { groupId }: Rules,
): Promise<ReadonlyMap<number, number[]>> {
  // Texts of ids, which Postgres puts together: a row for each person would hold the process up where there are many.
  // They are put in order here, which takes a tenth of the time.
  const idList = sql<string>`string_agg(${users.id}::text, ',')`;
  const { role, isFullMember } = users;
  const [ofRoles, ofGroups] = await Promise.all([
    tx
      .select({ role, isFullMember, ids: idList })
      .from(users)
      .where(hasGroups(realmId))
      .groupBy(role, isFullMember),
    tx.execute<{ group: number; ids: string }>(sql`
      select own as group, ${idList} as ids from ${users} cross join unnest(${users.groupIds}) own
      where ${hasGroups(realmId)} and ${users.groupIds} <> '{}' group by own`),
  ]);
  const lists = new Map<number, string[]>();
  const add = (group: number, ids: string) => lists.set(group, [...(lists.get(group) ?? []), ids]);
  for (const { ids, ...members } of ofRoles)
    for (const name of systemGroupsOf(members)) add(groupId(name), ids);
  for (const { group, ids } of ofGroups) add(group, ids);
  const members = new Map<number, number[]>();
  for (const [group, texts] of lists) {
    members.set(group, inOrder(JSON.parse(`[${texts.join()}]`) as number[]));
    await takeBreak();
  }
  return members;
}

/** Returns whether a user is a direct member of a group. */
export const isDirectMember = ({ id, name, isSystem }: UserGroupRow, user: Member) =>
  isSystem ? systemGroupsOf(user).some((one) => one === name) : user.groupIds.includes(id);

/** Returns the ids of the groups that a group contains directly, ascending. */
export async function listDirectSubgroups(tx: Tx, { id, realmId }: UserGroupRow, rules: Rules) {
  const system = rules.groups.systemName(id);
  const below = system && systemGroupBelow(system);
  if (system) return below ? [rules.groupId(below)] : [];
  const { userGroupSubgroups: subgroups } = tables;
  const rows = await tx
    .select({ id: subgroups.subgroupId })
    .from(subgroups)
    .where(and(eq(subgroups.realmId, realmId), eq(subgroups.groupId, id)))
    .orderBy(subgroups.subgroupId);
  return rows.map((row) => row.id);
}

/** Returns the ids of the groups that a group contains, directly or through others, ascending. */
export function listSubgroups({ id }: Pick<UserGroupRow, 'id'>, { groups, groupId }: Rules): number[] {
  const ids = new Set(groups.within(id));
  for (const each of ids) {
    const name = groups.systemName(each);
    const below = name && systemGroupBelow(name);
    if (below) ids.add(groupId(below));
  }
  ids.delete(id);
  return [...ids].sort((a, b) => a - b);
}
