import { type ChannelRow, type Tx, type UserRow, tables } from '@parley/db';
import { type Realm, type Rules, actorOf, getRules, intArray } from '@parley/model';
import { type ActionResult, type GroupSetting, type PendingEvent, events, roles, to } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { channelAccessEvents } from '../channels/index.ts';
import { lockConversations } from '../lock.ts';

const { channels, users } = tables;

/** Makes full members of accounts whose waiting period is over. Of others, and of those that are, it changes nothing. */
export async function endWaitingPeriods(
  tx: Tx,
  realm: Realm,
  userIds: number[],
  now: Date,
): Promise<ActionResult> {
  // Who may see what depends on who is a full member: accounts change one at a time.
  await lockConversations(tx, [realm.membersConversationId]);
  const rules = await getRules(tx, realm.id);
  const pending = await fullMemberEvents(tx, realm, rules, now, userIds);
  return { events: pending, keepsRules: pending.length === 0 };
}

/**
 * Brings in line with the waiting period who of a realm is a full member, and tells of it: members enter or leave the
 * group, and channels that name the group appear to them or go. The caller holds the members' conversation.
 */
export async function fullMemberEvents(
  tx: Tx,
  realm: Realm,
  { groupId, settings }: Rules,
  now: Date,
  among?: number[],
): Promise<PendingEvent[]> {
  const waitingDays = settings.waiting_period_threshold;
  const isPast = sql`(${users.joinedAt} <= ${now.toISOString()}::timestamptz - make_interval(days => ${waitingDays}))`;
  const changed = await tx
    .update(users)
    .set({ isFullMember: isPast })
    .where(
      and(
        eq(users.realmId, realm.id),
        sql`${users.isFullMember} <> ${isPast}`,
        among && sql`${users.id} = any(${intArray(among)})`,
      ),
    )
    .returning();
  const members = changed.filter(
    ({ role, isActive, isSystem }) => role === roles.member && isActive && !isSystem,
  );
  const group_id = groupId('role:fullmembers');
  const idsOf = (isFullMember: boolean) =>
    members
      .filter((user) => user.isFullMember === isFullMember)
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  const [entered, left] = [idsOf(true), idsOf(false)];
  // What is only recorded, of people with other roles, nobody is told of, and no plan depends on it.
  return [
    ...(entered.length > 0
      ? [to.everyone(events.userGroup.add_members({ group_id, user_ids: entered }))]
      : []),
    ...(left.length > 0 ? [to.everyone(events.userGroup.remove_members({ group_id, user_ids: left }))] : []),
    ...(await channelEvents(tx, realm, members, group_id)),
  ];
}

/** Private channels whose permissions name the group appear to those who entered it, and go for those who left. */
async function channelEvents(
  tx: Tx,
  realm: Realm,
  members: UserRow[],
  groupId: number,
): Promise<PendingEvent[]> {
  if (members.length === 0 || !(await isNamedByChannel(tx, realm.id, groupId))) return [];
  const rules = await getRules(tx, realm.id);
  const pending: PendingEvent[] = [];
  for (const user of members) {
    const before = actorOf({ ...user, isFullMember: !user.isFullMember }, realm);
    pending.push(...(await channelAccessEvents(tx, before, actorOf(user, realm), rules)));
  }
  return pending;
}

async function isNamedByChannel(tx: Tx, realmId: number, groupId: number): Promise<boolean> {
  const names = (setting: GroupSetting) =>
    setting === groupId || (typeof setting !== 'number' && setting.direct_subgroups.includes(groupId));
  const rows: Pick<ChannelRow, 'groupSettings'>[] = await tx
    .select({ groupSettings: channels.groupSettings })
    .from(channels)
    .where(and(eq(channels.realmId, realmId), channels.isPrivate));
  return rows.some(({ groupSettings }) => Object.values(groupSettings).some(names));
}
