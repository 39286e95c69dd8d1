import { type Tx, type UserGroupRow, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { assertGroupPermission, lockGroup } from './permissions.ts';

/**
 * Deactivates a group. Its members stay in it, and it may be read and reactivated.
 *
 * @throws BAD_REQUEST for a group that does not exist, is deactivated, or that the actor may not manage
 * @throws CANNOT_DEACTIVATE_GROUP_IN_USE for one that another group contains, or that a permission names
 */
export async function deactivate(
  tx: Tx,
  { actor, groupId }: { actor: Actor; groupId: number },
): Promise<ActionResult> {
  const locked = await lockGroup(tx, actor, groupId);
  assertGroupPermission(actor, locked, 'can_manage_group');
  const { group } = locked;
  if (group.isDeactivated) throw new ApiError('BAD_REQUEST', 'This user group is deactivated.');
  const objections = await listObjections(tx, group);
  if (objections.length > 0) {
    throw new ApiError(
      'CANNOT_DEACTIVATE_GROUP_IN_USE',
      'This user group is still in use, so it cannot be deactivated.',
      {
        objections,
      },
    );
  }
  const { userGroups } = tables;
  await tx
    .update(userGroups)
    .set({ isDeactivated: true })
    .where(hasId(userGroups, actor.realm, group.id));
  const update = { group_id: group.id, data: { deactivated: true } };
  return {
    events: [
      to.everyone(events.userGroup.update({ ...update, of_deactivated: 'deactivated' })),
      to.everyone(events.userGroup.remove({ group_id: group.id, of_deactivated: 'unlisted' })),
    ],
    changesRules: true,
  };
}
deactivate.actionName = 'userGroups.deactivate' as const;

/**
 * What keeps a group from being deactivated. Archived channels, deactivated groups, and the group's own permissions do
 * not.
 */
async function listObjections(tx: Tx, { id, realmId }: UserGroupRow): Promise<object[]> {
  const { userGroups, userGroupSubgroups: subgroups } = tables;
  const supergroups = await tx
    .select({ id: userGroups.id })
    .from(subgroups)
    .innerJoin(userGroups, and(eq(userGroups.realmId, realmId), eq(userGroups.id, subgroups.groupId)))
    .where(
      and(eq(subgroups.realmId, realmId), eq(subgroups.subgroupId, id), eq(userGroups.isDeactivated, false)),
    )
    .orderBy(userGroups.id);
  const uses = await model.userGroups.findGroupUses(tx, realmId, [id]);
  const channels = uses.channels.filter(({ isArchived }) => !isArchived);
  const groups = uses.groups.filter((group) => !group.isDeactivated && group.id !== id);
  return [
    ...(supergroups.length > 0
      ? [{ type: 'subgroup', supergroup_ids: supergroups.map((group) => group.id) }]
      : []),
    ...channels.map(({ id: channel_id, settings }) => ({ type: 'channel', channel_id, settings })),
    ...groups.map(({ id: group_id, settings }) => ({ type: 'user_group', group_id, settings })),
    ...(uses.realm.length > 0 ? [{ type: 'realm', settings: uses.realm }] : []),
  ];
}
