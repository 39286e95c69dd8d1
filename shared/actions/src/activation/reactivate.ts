import { type Tx, tables, type UserRow } from '@parley/db';
import {
  assertAdministrator,
  type Actor,
  exportConsentEvent,
  getUser,
  getRules,
  toAudience,
  userAudience,
  botUpdatedEvent,
  botOwnershipEvents,
  systemGroupsOf,
  type Rules,
  listUserGroupsById,
  listUsers,
} from '@parley/model';
import { type ActionResult, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

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
export async function reactivate(tx: Tx, actor: Actor, userId: number): Promise<ActionResult> {
  assertAdministrator(actor);
  const { realm } = actor;
  await lockConversations(tx, [realm.membersConversationId]);
  const { id } = await getUser(tx, actor, userId);
  const user = await lockUser(tx, { id, realm });
  if (user.isActive) return { events: [], keepsRules: true };
  await endAll(tx, id);

  const subscriptions = await lockSubscriptions(tx, realm, [id]);
  const rules = await getRules(tx, realm.id);
  const botOwnerId = await resolveBotOwner(tx, actor, user, rules);
  await tx.update(tables.users).set({ isActive: true, botOwnerId }).where(eq(tables.users.id, id));
  const after = { ...user, isActive: true, botOwnerId };
  const groups = await listUserGroupsById(tx, realm.id, user.groupIds);
  const back = events.realmUser.update({ person: { user_id: id, is_active: true } });
  return {
    events: [
      { ...toAudience(back, await userAudience(tx, realm, user, rules)), revokes: [id] },
      user.botType === null
        ? await exportConsentEvent(tx, user)
        : await botUpdatedEvent(tx, user, { is_active: true }),
      ...(botOwnerId === user.botOwnerId ? [] : await botOwnershipEvents(tx, actor, user, after, rules)),
      ...(await peerEvents(tx, realm, user, subscriptions.get(id) ?? [], rules, 'peer_add')),
      ...roleGroupEvents(id, [], systemGroupsOf(user), rules),
      ...groups.flatMap((group) => memberEvents(group, 'add_members', [id])),
    ],
    memberships: membershipChanges(realm, [user], subscriptions, 'joined'),
  };
}

/** The owner of a reactivated bot: the one it had, or the actor if that one is deactivated. */
async function resolveBotOwner(tx: Tx, actor: Actor, user: UserRow, rules: Rules): Promise<number | null> {
  if (user.botType === null) return null;
  assertMayCreateBot(actor, user.botType, rules);
  await assertBotNameIsFree(tx, actor.realm.id, user.fullName, user.id);
  const [owner] = await listUsers(tx, actor.realm.id, user.botOwnerId === null ? [] : [user.botOwnerId]);
  return owner && !owner.isActive ? actor.id : user.botOwnerId;
}
