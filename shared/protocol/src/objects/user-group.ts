import { z } from 'zod';

import { GroupSetting, type UserGroupSetting, userGroupNames } from '../settings/groups.ts';

/** The permissions of a user group, as fields of an object. */
export const userGroupPermissions = Object.fromEntries(
  userGroupNames.map((name) => [name, GroupSetting]),
  // Safe: an entry for each permission.
) as Record<UserGroupSetting, typeof GroupSetting>;

/** A user group. `members` are active users, and `members` and `direct_subgroup_ids` are direct ones, ascending. */
export const UserGroup = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  creator_id: z.int().nullable(),
  date_created: z.int().nullable(),
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  is_system_group: z.boolean(),
  deactivated: z.boolean(),
  ...userGroupPermissions,
});
export type UserGroup = z.infer<typeof UserGroup>;
