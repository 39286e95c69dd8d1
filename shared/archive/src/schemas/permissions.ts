import * as model from '@parley/model';
import {
  type GroupPermission,
  GroupSettingInput,
  channelGroupSettings,
  realmGroupSettings,
  userGroupSettings,
} from '@parley/protocol';
import { z } from 'zod';

/** The permissions of what a table's rows are. */
export const permissionTables: Readonly<Record<string, Readonly<Record<string, GroupPermission>>>> = {
  realms: realmGroupSettings,
  channels: channelGroupSettings,
  user_groups: userGroupSettings,
};

const withEach = (permissions: object) =>
  Object.fromEntries(Object.keys(permissions).map((name) => [name, GroupSettingInput]));

/** Returns a schema of all permissions of a channel or a group. Those that the server no longer has are left out. */
export const allOf = (permissions: object) => z.object(withEach(permissions));
/** Returns a schema of the permissions of an organization that differ from the defaults. */
export const someOf = (permissions: object) => z.object(withEach(permissions)).partial();

/**
 * Returns the name of the first permission that is granted to a group which it does not allow. `systemGroups` are the
 * names of system groups by id.
 */
export function findForbidden(
  permissions: Readonly<Record<string, GroupPermission>>,
  settings: Readonly<Record<string, unknown>>,
  systemGroups: ReadonlyMap<number, string>,
): string | undefined {
  return Object.entries(settings).find(([name, value]) => {
    const permission = permissions[name];
    // Safe: the value has passed the schema of a permission.
    const setting = value as z.infer<typeof GroupSettingInput>;
    return permission !== undefined && !isAllowed(permission, setting, systemGroups);
  })?.[0];
}

function isAllowed(
  { allowsEveryone, allowsNobody, systemGroups: only }: GroupPermission,
  setting: z.infer<typeof GroupSettingInput>,
  systemGroups: ReadonlyMap<number, string>,
): boolean {
  const groups = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
  if (only && typeof setting !== 'number') return false;
  return groups.every((id) => {
    const name = systemGroups.get(id);
    if (only && (name === undefined || !only.includes(name))) return false;
    return (
      name !== 'role:internet' &&
      (name !== 'role:everyone' || allowsEveryone) &&
      (name !== 'role:nobody' || allowsNobody)
    );
  });
}

const systemNames: readonly string[] = model.permissions.systemGroups.map(({ name }) => name);

/** Returns whether a name is one of a group that stands for a role. */
export const isSystemName = (name: string) => systemNames.includes(name);
export const systemGroupCount = systemNames.length;
