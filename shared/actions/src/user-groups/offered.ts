import type { Tx, UserGroupRow } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';

import { hasGroupPermission } from './permissions.ts';

/** Returns those of some groups that are in use and that an actor may add members to. System groups are not. */
export async function listOfferedGroups(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  ids: readonly number[],
): Promise<UserGroupRow[]> {
  const groups = await model.userGroups.listUserGroupsById(tx, actor.realm.id, [...ids]);
  return groups.filter(
    (group) =>
      !group.isSystem &&
      !group.isDeactivated &&
      hasGroupPermission(actor, { group, rules }, 'can_add_members_group'),
  );
}
