import { type Tx, tables } from '@parley/db';
import { type Actor, parseUserGroupName } from '@parley/model';
import * as model from '@parley/model';
import {
  type ActionResult,
  ApiError,
  type UserGroupSettings,
  events,
  limits,
  to,
  userGroupNames,
  userGroupSettings,
} from '@parley/protocol';
import { eq, sql } from 'drizzle-orm';

import { lockUserGroups } from '../lock.ts';
import { insertMembers, lockMembers } from './members.ts';
import { assertGroupNameIsFree, parseUserGroupDescription } from './names.ts';
import { assertPermissionsFit, notPermitted } from './permissions.ts';
import { assertUsableGroups, insertSubgroups } from './subgroups.ts';

export interface NewUserGroup {
  name: string;
  description: string;
  members: number[];
  subgroups: number[];
  permissions: Partial<UserGroupSettings>;
}

/**
 * Creates a user group with its members and subgroups.
 *
 * @throws BAD_REQUEST for a bot or a guest, or without the realm's permission; for a name that is invalid or taken, an
 * invalid description, members or subgroups that do not exist or are deactivated, or too many groups,
 * members or names in permissions
 */
export async function create(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & NewUserGroup,
): Promise<ActionResult & { groupId: number }> {
  model.permissions.assertHuman(actor);
  model.permissions.assertMember(actor);
  const name = parseUserGroupName(input.name);
  const description = parseUserGroupDescription(input.description);
  const { id: realmId } = actor.realm;
  await lockUserGroups(tx, realmId, 'alone');
  const rules = await model.permissions.getRules(tx, realmId);
  if (!rules.may(actor, 'can_create_groups')) throw notPermitted();
  await assertGroupNameIsFree(tx, realmId, name);
  const { userGroups } = tables;
  if ((await tx.$count(userGroups, eq(userGroups.realmId, realmId))) >= limits.userGroupsPerRealm) {
    throw new ApiError(
      'BAD_REQUEST',
      `An organization can have at most ${limits.userGroupsPerRealm} user groups.`,
    );
  }
  const subgroups = ascending(input.subgroups);
  await assertUsableGroups(tx, realmId, subgroups);
  const members = (await lockMembers(tx, realmId, ascending(input.members))).map(({ id }) => id);
  const groupSettings = await resolvePermissions(tx, actor, rules, input.permissions);

  const [group] = await tx
    .insert(userGroups)
    .values({ realmId, name, description, creatorId: actor.id, createdAt: sql`now()`, groupSettings })
    .returning();
  if (!group) throw new Error('An insert returned no row.');
  await assertPermissionsFit(tx, realmId);
  await insertMembers(tx, group, members);
  await insertSubgroups(tx, group, subgroups);
  const event = events.userGroup.add({
    group: model.userGroups.presentUserGroup(group, { members, subgroups }, rules),
  });
  return {
    events: [to.everyone(event)],
    // No permission names the new group.
    changesRules: subgroups.length > 0,
    groupId: group.id,
  };
}
create.actionName = 'userGroups.create' as const;

/** Ids, each once. */
const ascending = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);

/** The permissions of a new group; those that are not input belong to system groups, or to its creator alone. */
async function resolvePermissions(
  tx: Tx,
  actor: Actor,
  { groupId }: model.permissions.Rules,
  input: Partial<UserGroupSettings>,
): Promise<UserGroupSettings> {
  const settings: Partial<UserGroupSettings> = {};
  for (const name of userGroupNames) {
    const permission = userGroupSettings[name];
    const value = input[name];
    const creator = { direct_members: [actor.id], direct_subgroups: [] };
    const usual = permission.default === 'creator' ? creator : groupId(permission.default);
    settings[name] =
      value === undefined
        ? usual
        : await model.permissions.parseGroupSetting(tx, actor.realm.id, [name, permission], value);
  }
  // Safe: there is an entry for each permission.
  return settings as UserGroupSettings;
}
