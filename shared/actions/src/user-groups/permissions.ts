import type { Tx, UserGroupRow } from '@parley/db';
import {
  type Actor,
  type Rules,
  assertHuman,
  assertMember,
  getRules,
  getUserGroup,
  permissionsOf,
} from '@parley/model';
import { ApiError, type UserGroupSetting } from '@parley/protocol';

import { lockUserGroups } from '../lock.ts';

/** A group that is being changed. All groups of the realm are locked until the end of the transaction. */
export interface LockedGroup {
  group: UserGroupRow;
  rules: Rules;
}

/**
 * Locks the groups of the realm for a change of one.
 *
 * @throws BAD_REQUEST for a bot or a guest, for a group that does not exist, and for a system group
 */
export async function lockGroup(tx: Tx, actor: Actor, groupId: number): Promise<LockedGroup> {
  assertHuman(actor);
  assertMember(actor);
  await lockUserGroups(tx, actor.realm.id, 'alone');
  const group = await getUserGroup(tx, actor.realm.id, groupId);
  if (group.isSystem) throw notPermitted();
  return { group, rules: await getRules(tx, actor.realm.id) };
}

/** Whether one of a group's permissions names the actor. Whoever may manage the group has all of them. */
export function hasGroupPermission(
  actor: Actor,
  { group, rules }: LockedGroup,
  permission: UserGroupSetting,
): boolean {
  const settings = permissionsOf(group, rules);
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

export const notPermitted = () => new ApiError('BAD_REQUEST', 'Insufficient permission');
