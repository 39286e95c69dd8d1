import type { Tx, UserGroupRow } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type UserGroupSetting, limits } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { lockUserGroups } from '../lock.ts';

/** A group that is being changed. All groups of the realm are locked until the end of the transaction. */
export interface LockedGroup {
  group: UserGroupRow;
  rules: model.permissions.Rules;
}

/**
 * Locks the groups of the realm for a change of one.
 *
 * @throws BAD_REQUEST for a bot or a guest, for a group that does not exist, and for a system group
 */
export async function lockGroup(tx: Tx, actor: Actor, groupId: number): Promise<LockedGroup> {
  model.permissions.assertHuman(actor);
  model.permissions.assertMember(actor);
  await lockUserGroups(tx, actor.realm.id, 'alone');
  const group = await model.userGroups.getUserGroup(tx, actor.realm.id, groupId);
  if (group.isSystem) throw notPermitted();
  return { group, rules: await model.permissions.getRules(tx, actor.realm.id) };
}

/** Returns whether one of a group's permissions names the actor. Whoever may manage the group has all of them. */
export function hasGroupPermission(
  actor: Actor,
  { group, rules }: LockedGroup,
  permission: UserGroupSetting,
): boolean {
  const settings = model.userGroups.permissionsOf(group, rules);
  return (
    rules.may(actor, 'can_manage_all_groups') ||
    rules.includes(settings.can_manage_group, actor) ||
    rules.includes(settings[permission], actor)
  );
}

/** @throws BAD_REQUEST unless the actor has the permission */
export function assertGroupPermission(actor: Actor, locked: LockedGroup, permission: UserGroupSetting): void {
  if (!hasGroupPermission(actor, locked, permission)) throw notPermitted();
}

export const notPermitted = () => new ApiError('BAD_REQUEST', 'You do not have permission to do this.');

/**
 * Refuses permissions of a group that list too many users and groups, together with those of the realm's other groups.
 * They are written already.
 *
 * @throws BAD_REQUEST if they do
 */
export async function assertPermissionsFit(tx: Tx, realmId: number): Promise<void> {
  const [row] = await tx.execute<{ bytes: number }>(sql`
    select sum(octet_length(group_settings::text))::float8 as bytes from user_groups where realm_id = ${realmId}`);
  if ((row?.bytes ?? 0) > limits.userGroupPermissionBytesPerRealm) {
    throw new ApiError('BAD_REQUEST', 'The permissions of this group name too many users and groups.');
  }
}
