import { type Tx, tables } from '@parley/db';
import { type ActionResult, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { draftOfBot } from '../bots/draft.ts';
import { draftsOfNewOwner } from '../bots/edit.ts';
import { checkBotName } from '../bots/find.ts';
import { checkMayCreateBot } from '../bots/may.ts';
import { lockConversations } from '../lock.ts';
import { type Rules, getRules } from '../realms/rules.ts';
import { directGroupsOf } from '../user-groups/system.ts';
import { draftsOfPeer, holdSubscriptions, membershipsOf } from './come-and-go.ts';
import { type UserRow, getUser, listUsers } from './find.ts';
import { getLockedUser } from './hold.ts';
import { draftsOfRoleGroups } from './role.ts';
import { audienceOf, draft } from './sight.ts';

/** Gives an account back, with the subscriptions that it had. One that is there is left as it is. */
export async function reactivate(tx: Tx, actor: Actor, userId: number): Promise<ActionResult> {
  const { realm } = actor;
  await lockConversations(tx, [realm.membersConversationId]);
  const { id } = await getUser(tx, actor, userId);
  const user = await getLockedUser(tx, { id, realm });
  if (user.isActive) return { events: [], keepsRules: true };

  const subscriptions = await holdSubscriptions(tx, realm, [id]);
  const rules = await getRules(tx, realm.id);
  const botOwnerId = await settleBot(tx, actor, user, rules);
  await tx.update(tables.users).set({ isActive: true, botOwnerId }).where(eq(tables.users.id, id));
  const after = { ...user, isActive: true, botOwnerId };
  const back = events.realmUser.update({ person: { user_id: id, is_active: true } });
  return {
    events: [
      { ...draft(back, await audienceOf(tx, realm, user, rules)), revokes: [id] },
      ...(user.botType === null ? [] : [await draftOfBot(tx, user, { is_active: true })]),
      ...(botOwnerId === user.botOwnerId ? [] : await draftsOfNewOwner(tx, actor, user, after, rules)),
      ...(await draftsOfPeer(tx, realm, user, subscriptions.get(id) ?? [], rules, 'peer_add')),
      ...draftsOfRoleGroups(id, [], directGroupsOf(user.role), rules),
    ],
    memberships: membershipsOf(realm, [user], subscriptions, 'joined'),
  };
}

/** Whose a bot is that comes back: its owner's, or of whoever brings it back if the owner has left. */
async function settleBot(tx: Tx, actor: Actor, user: UserRow, rules: Rules): Promise<number | null> {
  if (user.botType === null) return null;
  checkMayCreateBot(actor, user.botType, rules);
  await checkBotName(tx, actor.realm.id, user.fullName, user.id);
  const [owner] = await listUsers(tx, actor.realm.id, user.botOwnerId === null ? [] : [user.botOwnerId]);
  return owner && !owner.isActive ? actor.id : user.botOwnerId;
}
