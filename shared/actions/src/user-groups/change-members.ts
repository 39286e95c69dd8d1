import { type Tx, tables } from '@parley/db';
import { type Actor, intArray } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { and, eq, or, sql } from 'drizzle-orm';

import { type GroupChange, groupAccessEvents } from '../channels/index.ts';
import { memberEvents, subgroupEvents } from './events.ts';
import { type GroupMember, deleteMembers, insertMembers, lockMembers } from './members.ts';
import { memberNotices } from './notices.ts';
import {
  type LockedGroup,
  assertGroupPermission,
  hasGroupPermission,
  lockGroup,
  notPermitted,
} from './permissions.ts';
import { assertContains, assertMayContain, deleteSubgroups, insertSubgroups } from './subgroups.ts';

export interface GroupMemberChanges {
  groupId: number;
  add: number[];
  remove: number[];
  addSubgroups: number[];
  removeSubgroups: number[];
}

/** What changes in a group. Ids are ascending. */
interface Change {
  added: GroupMember[];
  removed: GroupMember[];
  addedSubgroups: number[];
  removedSubgroups: number[];
}

/**
 * Adds direct members and subgroups to a group, and removes others: all or nothing. It may be deactivated.
 *
 * @throws BAD_REQUEST for a bot or a guest, a group that does not exist, a system group, or without the group's
 * permission; for users that do not exist or are deactivated; for members and subgroups to be added that are there
 * already, and for those to be removed that are not; for subgroups that do not exist, are deactivated, or contain the
 * group; for too many members of all groups
 */
export async function changeMembers(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & GroupMemberChanges,
): Promise<ActionResult> {
  const locked = await lockGroup(tx, actor, input.groupId);
  assertMayChangeMembers(actor, locked, input);
  const change = await resolveChange(tx, locked, input);
  const { group, rules: rulesBefore } = locked;
  const [added, removed] = [idsOf(change.added), idsOf(change.removed)];
  const { addedSubgroups, removedSubgroups } = change;
  // A permission that names a group that contains this one names its members, too.
  const uses = await model.userGroups.findGroupUses(tx, group.realmId, [
    ...rulesBefore.groups.containing(group.id),
  ]);

  await insertMembers(tx, group, added);
  await deleteMembers(tx, group, removed);
  await insertSubgroups(tx, group, addedSubgroups);
  await deleteSubgroups(tx, group, removedSubgroups);
  const rules = await model.permissions.getRules(tx, group.realmId);

  const channelIds = uses.channels
    .filter(({ settings }) => model.access.metadataSettings.some((name) => settings.includes(name)))
    .map(({ id }) => id);
  const affected = channelIds.length === 0 ? [] : await listAffected(tx, locked, rules, change);
  const hasNewSubgroups = addedSubgroups.length + removedSubgroups.length > 0;
  const isNamed = uses.realm.length + uses.channels.length + uses.groups.length > 0;
  return {
    events: [
      ...memberEvents(group, 'add_members', added),
      ...memberEvents(group, 'remove_members', removed),
      ...subgroupEvents(group, 'add_subgroups', addedSubgroups),
      ...subgroupEvents(group, 'remove_subgroups', removedSubgroups),
      ...(await groupAccessEvents(tx, actor.realm.id, channelIds, affected, [rulesBefore, rules])),
      ...(await memberNotices(tx, actor, group, change)),
    ],
    changesRules: isNamed || hasNewSubgroups,
  };
}
changeMembers.actionName = 'userGroups.changeMembers' as const;

const idsOf = (rows: GroupMember[]) => rows.map(({ id }) => id);

const ascending = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);

/**
 * Refuses a change without the permissions for its parts. Of oneself, less is needed.
 *
 * @throws BAD_REQUEST without them
 */
function assertMayChangeMembers(actor: Actor, locked: LockedGroup, input: GroupMemberChanges): void {
  const isOfOneself = (ids: number[]) => ids.every((id) => id === actor.id);
  const has = (permission: Parameters<typeof hasGroupPermission>[2]) =>
    hasGroupPermission(actor, locked, permission);
  const mayAdd = has('can_add_members_group') || (isOfOneself(input.add) && has('can_join_group'));
  const mayRemove = has('can_remove_members_group') || (isOfOneself(input.remove) && has('can_leave_group'));
  if (input.add.length > 0 && !mayAdd) throw notPermitted();
  if (input.remove.length > 0 && !mayRemove) throw notPermitted();
  if (input.addSubgroups.length > 0) assertGroupPermission(actor, locked, 'can_add_members_group');
  if (input.removeSubgroups.length > 0) assertGroupPermission(actor, locked, 'can_manage_group');
}

/** Locks everyone who is to be added or removed, and refuses a change that is none. */
async function resolveChange(tx: Tx, locked: LockedGroup, input: GroupMemberChanges): Promise<Change> {
  const { group } = locked;
  const [toAdd, toRemove] = [new Set(input.add), new Set(input.remove)];
  const users = await lockMembers(tx, group.realmId, ascending([...toAdd, ...toRemove]));
  const isMember = ({ groupIds }: GroupMember) => groupIds.includes(group.id);
  const added = users.filter(({ id }) => toAdd.has(id));
  const present = added.find(isMember);
  if (present) {
    throw new ApiError(
      'BAD_REQUEST',
      `The user with the id ${present.id} is already a member of this group.`,
    );
  }
  const removed = users.filter(({ id }) => toRemove.has(id));
  const absent = removed.find((user) => !isMember(user));
  if (absent) {
    throw new ApiError('BAD_REQUEST', `The user with the id ${absent.id} is not a member of this group.`);
  }
  const [addedSubgroups, removedSubgroups] = [
    ascending(input.addSubgroups),
    ascending(input.removeSubgroups),
  ];
  const current = await model.userGroups.listDirectSubgroups(tx, group, locked.rules);
  if (addedSubgroups.length > 0) await assertMayContain(tx, locked, current, addedSubgroups);
  assertContains(current, removedSubgroups);
  return { added, removed, addedSubgroups, removedSubgroups };
}

/** The users whom the change concerns, as they were before and as they are: also members of the subgroups. */
async function listAffected(
  tx: Tx,
  { group, rules: rulesBefore }: LockedGroup,
  rules: model.permissions.Rules,
  { added, removed, addedSubgroups, removedSubgroups }: Change,
): Promise<GroupChange[]> {
  const before = new Map([...added, ...removed].map((user) => [user.id, user]));
  const { users } = tables;
  const { id, role, isFullMember, groupIds } = users;
  const isAffected = or(
    sql`${users.id} = any(${intArray([...before.keys()])})`,
    model.userGroups.inGroupsCondition(rules, addedSubgroups),
    model.userGroups.inGroupsCondition(rulesBefore, removedSubgroups),
  );
  const rows = await tx
    .select({ id, role, isFullMember, groupIds })
    .from(users)
    .where(and(eq(users.realmId, group.realmId), users.isActive, eq(users.isSystem, false), isAffected))
    .orderBy(users.id);
  return rows.map((after) => ({ before: before.get(after.id) ?? after, after }));
}
