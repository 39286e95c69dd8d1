import { type Tx, type UserRow, tables } from '@parley/db';
import { type Actor, type Realm, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, roles, type PendingEvent, events } from '@parley/protocol';
import { and, eq, asc, isNull } from 'drizzle-orm';

import { revokeOfInviters } from '../invitations/index.ts';
import { lockConversations, lockUser } from '../lock.ts';
import { removeAll as removePushTokens } from '../push-tokens/index.ts';
import { memberEvents } from '../user-groups/index.ts';
import { isOnlyOwner, roleGroupEvents } from '../users/index.ts';
import { lockSubscriptions, peerEvents, membershipChanges } from './subscriptions.ts';

/**
 * Deactivates a human's account, and with it the bots that they own.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators; for an owner, for anyone but owners
 * @throws BAD_REQUEST for a user who does not exist, is a bot, is deactivated, or is the only owner
 */
export async function deactivate(
  tx: Tx,
  { actor, userId }: { actor: Actor; userId: number },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  await lockConversations(tx, actor.realm, [actor.realm.membersConversationId]);
  const user = await model.users.getUser(tx, actor, userId);
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'This user does not exist.');
  if (!user.isActive) throw new ApiError('BAD_REQUEST', 'This user is deactivated.');
  if (user.role === roles.owner) model.permissions.assertOwner(actor);
  if (await isOnlyOwner(tx, user)) {
    throw new ApiError('BAD_REQUEST', 'An organization needs at least one owner, and this is its only one.');
  }
  return await deactivateAccounts(tx, actor, user);
}
deactivate.actionName = 'activation.deactivate' as const;

/**
 * Deactivates the actor's own account, and with it the bots that they own.
 *
 * @throws CANNOT_DEACTIVATE_LAST_USER for the only owner
 */
export async function deactivateSelf(tx: Tx, { actor }: { actor: Actor }): Promise<ActionResult> {
  await lockConversations(tx, actor.realm, [actor.realm.membersConversationId]);
  const user = await lockUser(tx, actor);
  if (await isOnlyOwner(tx, user)) {
    const entity = 'organization owner';
    throw new ApiError('CANNOT_DEACTIVATE_LAST_USER', `The only ${entity} cannot be deactivated.`, {
      is_last_owner: true,
      entity,
    });
  }
  return await deactivateAccounts(tx, actor, user);
}
deactivateSelf.actionName = 'activation.deactivateSelf' as const;

/** Deactivates an account and the bots that it owns. Clients expect owned bots first, each with the events of a user. */
export async function deactivateAccounts(tx: Tx, { realm }: Actor, user: UserRow): Promise<ActionResult> {
  const { users, webhookDeliveries } = tables;
  const owned = and(eq(users.botOwnerId, user.id), eq(users.realmId, realm.id), users.isActive);
  const bots = await tx.select().from(users).where(owned).orderBy(asc(users.id));
  const leaving = [...bots, user];
  const ids = leaving.map(({ id }) => id);
  const subscriptions = await lockSubscriptions(tx, realm, ids);
  const rules = await model.permissions.getRules(tx, realm.id);
  await tx
    .update(users)
    .set({ isActive: false })
    .where(and(eq(users.realmId, realm.id), isAmong(users.id, ids)));
  await removePushTokens(tx, realm, ids);
  await tx
    .delete(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.realmId, realm.id),
        isAmong(webhookDeliveries.botId, ids),
        isNull(webhookDeliveries.failedAt),
      ),
    );

  const pending: PendingEvent[] = await revokeOfInviters(tx, realm, ids);
  for (const account of leaving) {
    const channels = subscriptions.get(account.id) ?? [];
    const deactivated = events.realmUser.update({ person: { user_id: account.id, is_active: false } });
    pending.push(...(await peerEvents(tx, realm, account, channels, rules, 'peer_remove')), {
      ...model.access.toAudience(deactivated, await model.access.userAudience(tx, realm, account, rules)),
      revokes: [account.id],
    });
    pending.push(...(await groupEventsForOthers(tx, realm, account, rules)));
    if (account.botType !== null)
      pending.push(await model.bots.botUpdatedEvent(tx, account, { is_active: false }));
  }
  return {
    events: pending,
    changesRules: true,
    memberships: membershipChanges(realm, leaving, subscriptions, 'left'),
  };
}

/** Events for guests who may not know of the account: they are told only that its groups have lost a member. */
async function groupEventsForOthers(
  tx: Tx,
  realm: Realm,
  account: UserRow,
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const guests = await model.access.guestsWithoutAccess(tx, realm.id, account, rules);
  if (guests.length === 0) return [];
  const groups = await model.userGroups.listUserGroupsById(tx, realm.id, account.groupIds);
  return [
    ...roleGroupEvents(account.id, model.permissions.systemGroupsOf(account), [], rules),
    ...groups.flatMap((group) => memberEvents(group, 'remove_members', [account.id])),
  ].map((pending) => ({ ...pending, users: guests }));
}
