import { type Tx, tables } from '@parley/db';
import { type ActionResult, ApiError, type Draft, events, roles } from '@parley/protocol';
import { and, asc, eq, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { draftOfBot } from '../bots/draft.ts';
import { lockConversations } from '../lock.ts';
import { getRules } from '../realms/rules.ts';
import { draftsOfPeer, holdSubscriptions, membershipsOf } from './come-and-go.ts';
import { checkOwner, isOnlyOwner } from './edit.ts';
import { type UserRow, getUser } from './find.ts';
import { getLockedUser } from './hold.ts';
import { audienceOf, draft } from './sight.ts';

/** Ends a person's account, and with it the bots that they own. */
export async function deactivate(tx: Tx, actor: Actor, userId: number): Promise<ActionResult> {
  await lockConversations(tx, [actor.realm.membersConversationId]);
  const user = await getUser(tx, actor, userId);
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'No such user');
  if (!user.isActive) throw new ApiError('BAD_REQUEST', 'User is deactivated');
  if (user.role === roles.owner) checkOwner(actor);
  if (await isOnlyOwner(tx, user)) {
    throw new ApiError('BAD_REQUEST', 'Cannot deactivate the only organization owner');
  }
  return await leave(tx, actor, user);
}

/** Ends the actor's own account. */
export async function deactivateSelf(tx: Tx, actor: Actor): Promise<ActionResult> {
  await lockConversations(tx, [actor.realm.membersConversationId]);
  const user = await getLockedUser(tx, actor);
  if (await isOnlyOwner(tx, user)) {
    const entity = 'organization owner';
    throw new ApiError('CANNOT_DEACTIVATE_LAST_USER', `Cannot deactivate the only ${entity}.`, {
      is_last_owner: true,
      entity,
    });
  }
  return await leave(tx, actor, user);
}

/** The order of reference/events.md 5: owned bots first, each like a user. */
export async function leave(tx: Tx, { realm }: Actor, user: UserRow): Promise<ActionResult> {
  const { users } = tables;
  const owned = and(eq(users.botOwnerId, user.id), eq(users.realmId, realm.id), users.isActive);
  const bots = await tx.select().from(users).where(owned).orderBy(asc(users.id));
  const leaving = [...bots, user];
  const ids = leaving.map(({ id }) => id);
  const subscriptions = await holdSubscriptions(tx, realm, ids);
  const rules = await getRules(tx, realm.id);
  await tx.update(users).set({ isActive: false }).where(inArray(users.id, ids));

  const drafts: Draft[] = [];
  for (const one of leaving) {
    const channels = subscriptions.get(one.id) ?? [];
    const gone = events.realmUser.update({ person: { user_id: one.id, is_active: false } });
    drafts.push(...(await draftsOfPeer(tx, realm, one, channels, rules, 'peer_remove')), {
      ...draft(gone, await audienceOf(tx, realm, one, rules)),
      revokes: [one.id],
    });
    if (one.botType !== null) drafts.push(await draftOfBot(tx, one, { is_active: false }));
  }
  return { events: drafts, memberships: membershipsOf(realm, leaving, subscriptions, 'left') };
}
