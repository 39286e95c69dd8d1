import { type Tx, tables } from '@parley/db';
import { type ActionResult, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { lockConversations } from '../lock.ts';
import { getRules } from '../realms/rules.ts';
import { directGroupsOf } from '../user-groups/system.ts';
import { draftsOfPeer, holdSubscriptions, membershipsOf } from './come-and-go.ts';
import { getUser } from './find.ts';
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
  await tx.update(tables.users).set({ isActive: true }).where(eq(tables.users.id, id));
  const back = events.realmUser.update({ person: { user_id: id, is_active: true } });
  return {
    events: [
      { ...draft(back, await audienceOf(tx, realm, user, rules)), revokes: [id] },
      ...(await draftsOfPeer(tx, realm, user, subscriptions.get(id) ?? [], rules, 'peer_add')),
      ...draftsOfRoleGroups(id, [], directGroupsOf(user.role), rules),
    ],
    memberships: membershipsOf(realm, [user], subscriptions, 'joined'),
  };
}
