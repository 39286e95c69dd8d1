import { type Tx, type UserRow, tables } from '@parley/db';
import { type Realm, actorOf, isAdministrator, isGuest } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, events, to } from '@parley/protocol';
import { and, eq, isNotNull, sql } from 'drizzle-orm';

import { channelAccessEvents } from '../channels/index.ts';

/**
 * Returns events of a change of role. Clients expect this order: the role, the groups that stand for roles, then what
 * the user may see from now on (channels, users, email addresses, bots).
 */
export async function roleChangeEvents(
  tx: Tx,
  realm: Realm,
  before: UserRow,
  after: UserRow,
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const changed = events.realmUser.update({ person: { user_id: after.id, role: after.role } });
  const roleEvent: PendingEvent = {
    ...model.access.toAudience(changed, await model.access.userAudience(tx, realm, after, rules)),
    revokes: [after.id],
  };
  if (!after.isActive) return [roleEvent];
  const accessEvents = await guestChangeEvents(tx, realm, before, after, rules);
  return [
    roleEvent,
    ...roleGroupEvents(
      after.id,
      model.permissions.systemGroupsOf(before),
      model.permissions.systemGroupsOf(after),
      rules,
    ),
    ...(await channelAccessEvents(tx, actorOf(before, realm), actorOf(after, realm), rules)),
    // Email addresses are sent only of users whom the user may see, so a new guest gets them first and a former one last.
    ...(isGuest(after) ? [] : accessEvents),
    ...(await emailAccessEvents(tx, before, after)),
    ...(isGuest(after) ? accessEvents : []),
    ...(await botAccessEvents(tx, before, after)),
  ];
}

/** Events of users who appear or disappear, for a user who becomes a guest or is one no longer. */
async function guestChangeEvents(
  tx: Tx,
  realm: Realm,
  before: UserRow,
  after: UserRow,
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const [wasGuest, isNowGuest] = [isGuest(before), isGuest(after)];
  if (wasGuest === isNowGuest || !model.access.restrictsGuests(rules)) return [];
  return await model.accessChanges.guestRestrictionEvents(
    tx,
    realm,
    rules,
    [after.id],
    isNowGuest ? 'restrict' : 'open',
  );
}

type RoleGroups = ReturnType<typeof model.permissions.systemGroupsOf>;

/** Returns events of a user who leaves groups that stand for roles, and enters others. */
export function roleGroupEvents(
  id: number,
  left: RoleGroups,
  entered: RoleGroups,
  rules: model.permissions.Rules,
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

/** Events with the email addresses that the user may see from now on, and without those that they may no longer see. */
async function emailAccessEvents(tx: Tx, before: UserRow, after: UserRow): Promise<PendingEvent[]> {
  const { users } = tables;
  const all = await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, after.realmId), eq(users.isSystem, false)));
  return all
    .filter(
      (user) =>
        user.id !== after.id &&
        model.access.maySeeEmail(before, user) !== model.access.maySeeEmail(after, user),
    )
    .map((user) => {
      const delivery_email = model.access.maySeeEmail(after, user) ? user.email : null;
      return to.user(after, events.realmUser.update({ person: { user_id: user.id, delivery_email } }));
    });
}

/** Events of the bots of others, which appear to a new administrator and disappear from a former one. */
async function botAccessEvents(tx: Tx, before: UserRow, after: UserRow): Promise<PendingEvent[]> {
  const [wasAdministrator, isNowAdministrator] = [isAdministrator(before), isAdministrator(after)];
  if (wasAdministrator === isNowAdministrator || after.botType !== null) return [];
  const { users } = tables;
  const othersBots = and(
    eq(users.realmId, after.realmId),
    eq(users.isSystem, false),
    isNotNull(users.botType),
    sql`${users.botOwnerId} is distinct from ${after.id}`,
  );
  const bots = await model.bots.presentBots(
    tx,
    await tx.select().from(users).where(othersBots).orderBy(users.id),
  );
  return bots.map((bot) =>
    to.user(
      after,
      isNowAdministrator
        ? events.realmBot.add({ bot })
        : events.realmBot.delete({ bot: { user_id: bot.user_id } }),
    ),
  );
}
