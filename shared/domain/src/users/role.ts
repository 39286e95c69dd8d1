import { type Tx, tables } from '@parley/db';
import { type Draft, events, roles, to } from '@parley/protocol';
import { and, eq, isNotNull, sql } from 'drizzle-orm';

import { type Realm, actorOf } from '../actor.ts';
import { presentBots } from '../bots/present.ts';
import { draftsOfSight } from '../channels/regard.ts';
import type { Rules } from '../realms/rules.ts';
import { directGroupsOf } from '../user-groups/system.ts';
import type { UserRow } from './find.ts';
import { maySeeEmail } from './present.ts';
import { restrictsGuests } from './seen.ts';
import { draftsOfRestriction } from './sight-changes.ts';
import { audienceOf, draft } from './sight.ts';

/** What a change of role is to others, to the groups of the roles, and to what the person sees, in this order. */
export async function draftsOfRole(
  tx: Tx,
  realm: Realm,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<Draft[]> {
  const changed = events.realmUser.update({ person: { user_id: after.id, role: after.role } });
  const told: Draft = { ...draft(changed, await audienceOf(tx, realm, after, rules)), revokes: [after.id] };
  if (!after.isActive) return [told];
  const seeing = await draftsOfGuest(tx, realm, before, after, rules);
  return [
    told,
    ...draftsOfRoleGroups(after.id, directGroupsOf(before.role), directGroupsOf(after.role), rules),
    ...(await draftsOfSight(tx, actorOf(before, realm), actorOf(after, realm), rules)),
    // Addresses are told of people whom one sees.
    ...(after.role === roles.guest ? [] : seeing),
    ...(await draftsOfAddresses(tx, before, after)),
    ...(after.role === roles.guest ? seeing : []),
    ...(await draftsOfBots(tx, before, after)),
  ];
}

/** Whoever becomes a guest, or is one no longer, may see other people than before. */
async function draftsOfGuest(
  tx: Tx,
  realm: Realm,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<Draft[]> {
  const [was, is] = [before.role === roles.guest, after.role === roles.guest];
  if (was === is || !restrictsGuests(rules)) return [];
  return await draftsOfRestriction(tx, realm, rules, [after.id], is ? 'restrict' : 'open');
}

type RoleGroups = ReturnType<typeof directGroupsOf>;

/** The groups that stand for roles, as someone leaves some and enters others. */
export function draftsOfRoleGroups(id: number, left: RoleGroups, entered: RoleGroups, rules: Rules): Draft[] {
  const member = (name: string) => ({ group_id: rules.groupId(name), user_ids: [id] });
  return [
    ...left
      .filter((name) => !entered.includes(name))
      .map((name) => to.everyone(events.userGroup.remove_members(member(name)))),
    ...entered
      .filter((name) => !left.includes(name))
      .map((name) => to.everyone(events.userGroup.add_members(member(name)))),
  ];
}

/** Addresses that someone may know from now on, and those that they may not any more. */
async function draftsOfAddresses(tx: Tx, before: UserRow, after: UserRow): Promise<Draft[]> {
  const { users } = tables;
  const all = await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, after.realmId), eq(users.isSystem, false)));
  return all
    .filter((user) => user.id !== after.id && maySeeEmail(before, user) !== maySeeEmail(after, user))
    .map((user) => {
      const delivery_email = maySeeEmail(after, user) ? user.email : null;
      return to.user(after, events.realmUser.update({ person: { user_id: user.id, delivery_email } }));
    });
}

/** The bots of others, which people who administer see to. */
async function draftsOfBots(tx: Tx, before: UserRow, after: UserRow): Promise<Draft[]> {
  const [did, does] = [before.role <= 200, after.role <= 200];
  if (did === does || after.botType !== null) return [];
  const { users } = tables;
  const those = and(
    eq(users.realmId, after.realmId),
    eq(users.isSystem, false),
    isNotNull(users.botType),
    sql`${users.botOwnerId} is distinct from ${after.id}`,
  );
  const bots = await presentBots(tx, await tx.select().from(users).where(those).orderBy(users.id));
  return bots.map((bot) =>
    to.user(
      after,
      does ? events.realmBot.add({ bot }) : events.realmBot.delete({ bot: { user_id: bot.user_id } }),
    ),
  );
}
