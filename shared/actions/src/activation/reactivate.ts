import { type Tx, tables, type UserRow } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events } from '@parley/protocol';

import { assertMayCreateBot, assertBotNameIsFree } from '../bots/index.ts';
import { lockConversations, lockUser } from '../lock.ts';
import { endAll } from '../sessions/index.ts';
import { memberEvents } from '../user-groups/index.ts';
import { roleGroupEvents } from '../users/index.ts';
import { lockSubscriptions, peerEvents, membershipChanges } from './subscriptions.ts';

/**
 * Reactivates an account, with the subscriptions and groups that it had. One that is active stays as it is.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a user who does not exist; for a bot whose name is taken, or that the actor may not create
 */
export async function reactivate(
  tx: Tx,
  { actor, userId }: { actor: Actor; userId: number },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const { realm } = actor;
  await lockConversations(tx, realm, [realm.membersConversationId]);
  const { id } = await model.users.getUser(tx, actor, userId);
  const user = await lockUser(tx, { id, realm });
  if (user.isActive) return { events: [] };
  await endAll(tx, { id, realm });

  const subscriptions = await lockSubscriptions(tx, realm, [id]);
  const rules = await model.permissions.getRules(tx, realm.id);
  const botOwnerId = await resolveBotOwner(tx, actor, user, rules);
  await tx
    .update(tables.users)
    .set({ isActive: true, botOwnerId })
    .where(hasId(tables.users, realm, id));
  const after = { ...user, isActive: true, botOwnerId };
  const groups = await model.userGroups.listUserGroupsById(tx, realm.id, user.groupIds);
  const back = events.realmUser.update({ person: { user_id: id, is_active: true } });
  return {
    events: [
      {
        ...model.access.toAudience(back, await model.access.userAudience(tx, realm, user, rules)),
        revokes: [id],
      },
      user.botType === null
        ? await model.exports.exportConsentEvent(tx, user)
        : await model.bots.botUpdatedEvent(tx, user, { is_active: true }),
      ...(botOwnerId === user.botOwnerId
        ? []
        : await model.bots.botOwnershipEvents(tx, actor, user, after, rules)),
      ...(await peerEvents(tx, realm, user, subscriptions.get(id) ?? [], rules, 'peer_add')),
      ...roleGroupEvents(id, [], model.permissions.systemGroupsOf(user), rules),
      ...groups.flatMap((group) => memberEvents(group, 'add_members', [id])),
    ],
    changesRules: true,
    memberships: membershipChanges(realm, [user], subscriptions, 'joined'),
  };
}
reactivate.actionName = 'activation.reactivate' as const;

/** The owner of a reactivated bot: the one it had, or the actor if that one is deactivated. */
async function resolveBotOwner(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  rules: model.permissions.Rules,
): Promise<number | null> {
  if (user.botType === null) return null;
  assertMayCreateBot(actor, user.botType, rules);
  await assertBotNameIsFree(tx, actor.realm.id, user.fullName, user.id);
  const [owner] = await model.users.listUsers(
    tx,
    actor.realm.id,
    user.botOwnerId === null ? [] : [user.botOwnerId],
  );
  return owner && !owner.isActive ? actor.id : user.botOwnerId;
}
