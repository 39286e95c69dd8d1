import { type Tx, type UserRow, tables } from '@parley/db';
import { type Realm, actorOf, intArray } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PendingEvent, events, roles, to } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { channelAccessEvents } from '../channels/index.ts';
import { lockConversations } from '../lock.ts';

const { users } = tables;

/** Makes full members of those of these accounts whose waiting period is over. Running it again changes nothing. */
export async function endWaitingPeriods(
  tx: Tx,
  { realm, userIds, now }: { realm: Realm; userIds: number[]; now: Date },
): Promise<ActionResult> {
  // Who may see which channels depends on who is a full member, so changes of accounts take turns.
  await lockConversations(tx, realm, [realm.membersConversationId]);
  const rules = await model.permissions.getRules(tx, realm.id);
  const pending = await fullMemberEvents(tx, realm, rules, now, userIds);
  return { events: pending, changesRules: pending.length > 0 };
}
endWaitingPeriods.actionName = 'users.endWaitingPeriods' as const;

/**
 * Updates who is a full member of a realm by its waiting period. The events add members to the group of full members or
 * remove them, and show or hide channels that name the group. The caller has locked the members' conversation.
 */
export async function fullMemberEvents(
  tx: Tx,
  realm: Realm,
  { groupId, settings }: model.permissions.Rules,
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
  // Users with other roles are not in the group: for them the column changes without an event.
  return [
    ...(entered.length > 0
      ? [to.everyone(events.userGroup.add_members({ group_id, user_ids: entered }))]
      : []),
    ...(left.length > 0 ? [to.everyone(events.userGroup.remove_members({ group_id, user_ids: left }))] : []),
    ...(await channelEvents(tx, realm, members, group_id)),
  ];
}

/** Shows private channels whose permissions name the group to users who entered it, and hides them from who left. */
async function channelEvents(
  tx: Tx,
  realm: Realm,
  members: UserRow[],
  groupId: number,
): Promise<PendingEvent[]> {
  if (members.length === 0) return [];
  const rules = await model.permissions.getRules(tx, realm.id);
  if (!(await isNamedByChannel(tx, realm.id, rules, groupId))) return [];
  const pending: PendingEvent[] = [];
  for (const user of members) {
    const before = actorOf({ ...user, isFullMember: !user.isFullMember }, realm);
    pending.push(...(await channelAccessEvents(tx, before, actorOf(user, realm), rules)));
  }
  return pending;
}

/** Whether a permission that lets users see a channel names a group, or one that contains it. */
async function isNamedByChannel(
  tx: Tx,
  realmId: number,
  { groups }: model.permissions.Rules,
  groupId: number,
): Promise<boolean> {
  const { channels } = await model.userGroups.findGroupUses(tx, realmId, [...groups.containing(groupId)]);
  return channels.some(({ settings }) =>
    model.access.metadataSettings.some((name) => settings.includes(name)),
  );
}
