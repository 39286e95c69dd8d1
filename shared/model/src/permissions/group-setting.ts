import { type Tx, tables } from '@parley/db';
import { type GroupPermission, type GroupSetting, ApiError, type GroupSettingChange } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { isId, isAmong } from '../ids.ts';

/** The facts about a group that decide which permissions may be granted to it. */
export interface NamedGroup {
  id: number;
  name: string;
  isSystem: boolean;
  isDeactivated: boolean;
}

/**
 * Returns a new value of a permission, in its canonical form.
 *
 * @throws BAD_REQUEST for a group or user that does not exist or is deactivated, and for a group that the permission does
 * not allow
 * @throws SYSTEM_GROUP_REQUIRED for another value where the permission takes system groups only
 */
export async function parseGroupSetting(
  tx: Tx,
  realmId: number,
  permission: readonly [string, GroupPermission],
  value: GroupSetting,
): Promise<GroupSetting> {
  const setting = canonicalSetting(value);
  assertAllowedGroups(await listNamedGroups(tx, realmId, groupIdsOf(setting)), permission, setting);
  if (typeof setting !== 'number') await assertActiveMembers(tx, realmId, setting.direct_members);
  return setting;
}

/** Returns the groups that a value names. */
export const groupIdsOf = (setting: GroupSetting): number[] =>
  typeof setting === 'number' ? [setting] : setting.direct_subgroups;

async function listNamedGroups(tx: Tx, realmId: number, ids: number[]): Promise<NamedGroup[]> {
  const { userGroups } = tables;
  if (ids.length === 0 || !ids.every(isId)) return [];
  const { id, name, isSystem, isDeactivated } = userGroups;
  return await tx
    .select({ id, name, isSystem, isDeactivated })
    .from(userGroups)
    .where(and(eq(userGroups.realmId, realmId), isAmong(userGroups.id, ids)));
}

/**
 * Refuses a value for the groups that it names. The value is canonical, and `groups` are those of its groups that
 * exist.
 *
 * @throws BAD_REQUEST SYSTEM_GROUP_REQUIRED as parseGroupSetting
 */
export function assertAllowedGroups(
  groups: readonly NamedGroup[],
  [name, { allowsEveryone, allowsNobody, systemGroups }]: readonly [string, GroupPermission],
  setting: GroupSetting,
): void {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const only = typeof setting === 'number' ? byId.get(setting) : undefined;
  if (systemGroups && !only?.isSystem) {
    throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a group that stands for a role.`, {
      setting_name: name,
    });
  }
  for (const id of groupIdsOf(setting)) {
    const group = byId.get(id);
    if (!group) throw new ApiError('BAD_REQUEST', 'This user group does not exist.');
    if (group.isDeactivated) throw new ApiError('BAD_REQUEST', 'This user group is deactivated.');
    const isRefused =
      (systemGroups && !systemGroups.includes(group.name)) ||
      group.name === 'role:internet' ||
      (group.name === 'role:everyone' && !allowsEveryone) ||
      (group.name === 'role:nobody' && !allowsNobody);
    if (isRefused) {
      throw new ApiError('BAD_REQUEST', `'${name}' cannot be set to the group '${group.name}'.`);
    }
  }
}

/** @throws EXPECTATION_MISMATCH if the client that changes a setting states an old value that is not the current one */
export function assertExpectedSetting(current: GroupSetting, { old }: GroupSettingChange): void {
  if (old !== undefined && !isSameSetting(current, old)) {
    throw new ApiError(
      'EXPECTATION_MISMATCH',
      'Somebody has changed this permission meanwhile. Load it again before you change it.',
      {
        field_name: 'old',
      },
    );
  }
}

/** Returns whether two values have the same canonical form. */
export const isSameSetting = (a: GroupSetting, b: GroupSetting) =>
  JSON.stringify(canonicalSetting(a)) === JSON.stringify(canonicalSetting(b));

/** Returns the canonical form of a value: ids are sorted and unique, and a single group stands for itself. */
export function canonicalSetting(value: GroupSetting): GroupSetting {
  if (typeof value === 'number') return value;
  const members = sorted(value.direct_members);
  const groups = sorted(value.direct_subgroups);
  const [only] = groups;
  if (members.length === 0 && groups.length === 1 && only !== undefined) return only;
  return { direct_members: members, direct_subgroups: groups };
}

const sorted = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);

async function assertActiveMembers(tx: Tx, realmId: number, ids: number[]): Promise<void> {
  const { users } = tables;
  const members =
    ids.length > 0 && ids.every(isId)
      ? await tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.realmId, realmId), isAmong(users.id, ids), users.isActive))
      : [];
  const missing = ids.find((id) => !members.some((user) => user.id === id));
  if (missing !== undefined) throw new ApiError('BAD_REQUEST', `There is no user with the id ${missing}.`);
}
