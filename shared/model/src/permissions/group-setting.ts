import { type Tx, tables } from '@parley/db';
import { type GroupPermission, type GroupSetting, ApiError, type GroupSettingChange } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { isId, isAmong } from '../ids.ts';
import type { Rules } from './rules.ts';

/**
 * A new value of a permission, in its canonical form.
 *
 * @throws BAD_REQUEST for a group or user that does not exist, and for a group that the permission does not allow
 * @throws SYSTEM_GROUP_REQUIRED for another value where the permission takes system groups only
 */
export async function parseGroupSetting(
  tx: Tx,
  realmId: number,
  rules: Rules,
  [name, permission]: readonly [string, GroupPermission],
  value: GroupSetting,
): Promise<GroupSetting> {
  const setting = canonical(value);
  assertAllowedSystemGroup(rules, setting, name, permission);
  const groupIds = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
  for (const groupId of groupIds) {
    const group = rules.groups.find(({ id }) => id === groupId);
    if (!group) throw new ApiError('BAD_REQUEST', 'Invalid user group ID');
    const isRefused =
      group.name === 'role:internet' ||
      (group.name === 'role:everyone' && !permission.allowsEveryone) ||
      (group.name === 'role:nobody' && !permission.allowsNobody);
    if (isRefused) {
      throw new ApiError('BAD_REQUEST', `'${name}' setting cannot be set to '${group.name}' group.`);
    }
  }
  if (typeof setting !== 'number') await assertActiveMembers(tx, realmId, setting.direct_members);
  return setting;
}

function assertAllowedSystemGroup(
  { groups }: Rules,
  setting: GroupSetting,
  name: string,
  { systemGroups }: GroupPermission,
): void {
  if (!systemGroups) return;
  const group = groups.find(({ id }) => id === setting);
  if (!group?.name.startsWith('role:')) {
    throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, {
      setting_name: name,
    });
  }
  if (!systemGroups.includes(group.name)) {
    throw new ApiError('BAD_REQUEST', `'${name}' setting cannot be set to '${group.name}' group.`);
  }
}

/** @throws EXPECTATION_MISMATCH if the client that changes a setting states an old value that is not the current one */
export function assertExpectedSetting(current: GroupSetting, { old }: GroupSettingChange): void {
  if (old !== undefined && !isSameSetting(current, old)) {
    throw new ApiError('EXPECTATION_MISMATCH', "'old' value does not match the expected value.", {
      field_name: 'old',
    });
  }
}

/** Whether two values have the same canonical form. */
export const isSameSetting = (a: GroupSetting, b: GroupSetting) =>
  JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));

/** The canonical form of a value: ids are sorted and unique, and a single group stands for itself. */
function canonical(value: GroupSetting): GroupSetting {
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
  if (missing !== undefined) throw new ApiError('BAD_REQUEST', `Invalid user ID: ${missing}`);
}
