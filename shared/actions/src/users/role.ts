import { type Tx, type UserRow, tables } from '@parley/db';
import {
  type Realm,
  type Rules,
  toAudience,
  userAudience,
  systemGroupsOf,
  actorOf,
  restrictsGuests,
  guestRestrictionEvents,
  maySeeEmail,
  presentBots,
} from '@parley/model';
import { type PendingEvent, events, roles, to } from '@parley/protocol';
import { and, eq, isNotNull, sql } from 'drizzle-orm';

import { channelAccessEvents } from '../channels/index.ts';

/** What a change of role is to others, to the groups of the roles, and to what the person sees, in this order. */
export async function roleChangeEvents(
  tx: Tx,
  realm: Realm,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<PendingEvent[]> {
  const changed = events.realmUser.update({ person: { user_id: after.id, role: after.role } });
  const told: PendingEvent = {
    ...toAudience(changed, await userAudience(tx, realm, after, rules)),
    revokes: [after.id],
  };
  if (!after.isActive) return [told];
  const seeing = await guestChangeEvents(tx, realm, before, after, rules);
  return [
    told,
    ...roleGroupEvents(after.id, systemGroupsOf(before), systemGroupsOf(after), rules),
    ...(await channelAccessEvents(tx, actorOf(before, realm), actorOf(after, realm), rules)),
    // Addresses are told of people whom one sees.
    ...(after.role === roles.guest ? [] : seeing),
    ...(await emailAccessEvents(tx, before, after)),
    ...(after.role === roles.guest ? seeing : []),
    ...(await botAccessEvents(tx, before, after)),
  ];
}

/** Whoever becomes a guest, or is one no longer, may see other people than before. */
async function guestChangeEvents(
  tx: Tx,
  realm: Realm,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<PendingEvent[]> {
  const [was, is] = [before.role === roles.guest, after.role === roles.guest];
  if (was === is || !restrictsGuests(rules)) return [];
  return await guestRestrictionEvents(tx, realm, rules, [after.id], is ? 'restrict' : 'open');
}

type RoleGroups = ReturnType<typeof systemGroupsOf>;

/** The groups that stand for roles, as someone leaves some and enters others. */
export function roleGroupEvents(
  id: number,
  left: RoleGroups,
  entered: RoleGroups,
  rules: Rules,
): PendingEvent[] {
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
async function emailAccessEvents(tx: Tx, before: UserRow, after: UserRow): Promise<PendingEvent[]> {
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
async function botAccessEvents(tx: Tx, before: UserRow, after: UserRow): Promise<PendingEvent[]> {
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
