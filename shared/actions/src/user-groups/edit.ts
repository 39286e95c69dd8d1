import { type Tx, type UserGroupRow, tables } from '@parley/db';
import { type Actor, hasId, parseOptional, parseUserGroupName } from '@parley/model';
import * as model from '@parley/model';
import {
  type ActionResult,
  ApiError,
  type GroupSettingChange,
  type PendingEvent,
  type UserGroupSetting,
  type UserGroupSettings,
  events,
  to,
  userGroupNames,
  userGroupSettings,
} from '@parley/protocol';

import { deactivatedField } from './events.ts';
import { assertGroupNameIsFree, parseUserGroupDescription } from './names.ts';
import { type LockedGroup, assertGroupPermission, assertPermissionsFit, lockGroup } from './permissions.ts';

export interface UserGroupEdit {
  groupId: number;
  name: string | undefined;
  description: string | undefined;
  /** Whether a deactivated group comes back. */
  isReactivated: boolean;
  permissions: Partial<Record<UserGroupSetting, GroupSettingChange>>;
}

/**
 * Changes a group's name, description and permissions, and reactivates it. There are events only for what differs from
 * before.
 *
 * @throws BAD_REQUEST for a group that does not exist or that the actor may not manage, an edit of nothing, a name that is
 * invalid or taken, an invalid description, or a permission that cannot have the value
 * @throws EXPECTATION_MISMATCH when a permission is not what the client expects
 */
export async function edit(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & UserGroupEdit,
): Promise<ActionResult> {
  const changes = {
    ...input,
    name: parseOptional(input.name, parseUserGroupName),
    description: parseOptional(input.description, parseUserGroupDescription),
  };
  const { name, description, isReactivated, permissions } = changes;
  const locked = await lockGroup(tx, actor, input.groupId);
  assertGroupPermission(actor, locked, 'can_manage_group');
  if (
    name === undefined &&
    description === undefined &&
    !isReactivated &&
    Object.keys(permissions).length === 0
  ) {
    throw new ApiError('BAD_REQUEST', 'There is nothing to change.');
  }
  const { group } = locked;
  if (name !== undefined) await assertGroupNameIsFree(tx, actor.realm.id, name, group.id);
  const changed = await changedPermissions(tx, locked, permissions);
  const data = {
    ...(name !== undefined && name !== group.name && { name }),
    ...(description !== undefined && description !== group.description && { description }),
    ...changed,
  };
  const after: UserGroupRow = {
    ...group,
    name: name ?? group.name,
    description: description ?? group.description,
    isDeactivated: group.isDeactivated && !isReactivated,
    groupSettings: { ...model.userGroups.permissionsOf(group, locked.rules), ...changed },
  };
  const pending = [
    ...(after.isDeactivated === group.isDeactivated ? [] : await reactivationEvents(tx, locked, after)),
    ...(Object.keys(data).length === 0
      ? []
      : [to.everyone(events.userGroup.update({ group_id: group.id, data, ...deactivatedField(after) }))]),
  ];
  if (pending.length === 0) return { events: [] };
  const { id: _, realmId: __, ...columns } = after;
  await tx
    .update(tables.userGroups)
    .set(columns)
    .where(hasId(tables.userGroups, actor.realm, group.id));
  if (Object.keys(changed).length > 0) await assertPermissionsFit(tx, actor.realm.id);
  return { events: pending, changesRules: true };
}
edit.actionName = 'userGroups.edit' as const;

/** Clients that do not list deactivated groups know nothing of a group that comes back. */
async function reactivationEvents(
  tx: Tx,
  { rules }: LockedGroup,
  after: UserGroupRow,
): Promise<PendingEvent[]> {
  const all = await model.userGroups.listMembers(tx, after.realmId, rules, [after.id]);
  const members = all.filter((user) => model.userGroups.isDirectMember(after, user)).map(({ id }) => id);
  const subgroups = await model.userGroups.listDirectSubgroups(tx, after, rules);
  return [
    to.everyone(
      events.userGroup.update({
        group_id: after.id,
        data: { deactivated: false },
        of_deactivated: 'deactivated',
      }),
    ),
    to.everyone(
      events.userGroup.add({
        group: model.userGroups.presentUserGroup(after, { members, subgroups }, rules),
        of_deactivated: 'unlisted',
      }),
    ),
  ];
}

async function changedPermissions(
  tx: Tx,
  { group, rules }: LockedGroup,
  input: UserGroupEdit['permissions'],
): Promise<Partial<UserGroupSettings>> {
  const current = model.userGroups.permissionsOf(group, rules);
  const changed: Partial<UserGroupSettings> = {};
  for (const name of userGroupNames) {
    const change = input[name];
    if (!change) continue;
    const permission = userGroupSettings[name];
    const value = await model.permissions.parseGroupSetting(
      tx,
      group.realmId,
      [name, permission],
      change.new,
    );
    model.permissions.assertExpectedSetting(current[name], change);
    if (!model.permissions.isSameSetting(value, current[name])) changed[name] = value;
  }
  return changed;
}
