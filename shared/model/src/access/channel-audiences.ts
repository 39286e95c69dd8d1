import { type ChannelRow, type Tx, tables } from '@parley/db';
import {
  type Audience,
  type ChannelGroupSetting,
  type LogEvent,
  type PendingEvent,
  type GroupSetting,
  roles,
} from '@parley/protocol';
import { type SQL, or, and, eq, sql } from 'drizzle-orm';

import { type AudienceRealm, isAdministrator, isGuest } from '../actor.ts';
import { intArray, isAmong } from '../ids.ts';
import { numberLiteral } from '../number-literal.ts';
import { groupIdsOf } from '../permissions/group-setting.ts';
import type { Rules } from '../permissions/rules.ts';
import { systemGroups } from '../permissions/system-groups.ts';
import { listGuestIds } from './user-audiences.ts';

/** The users who gain, keep and lose metadata access when a channel changes. */
export interface ChannelAccessChange {
  gain: Audience | null;
  keep: Audience;
  lose: Audience | null;
}

/** How widely a channel is visible: 0 private, 1 public (everyone except guests), 2 web-public. */
const visibilityLevel = ({ isPrivate, isWebPublic }: ChannelRow) => (isWebPublic ? 2 : isPrivate ? 0 : 1);

/**
 * Returns the users whose metadata access changes between two versions of a channel. Its subscribers see both, so they
 * are in neither `gain` nor `lose`.
 */
export async function channelAccessChange(
  tx: Tx,
  realm: AudienceRealm,
  [before, after]: readonly [ChannelRow, ChannelRow],
  subscribers: number[],
  rules: Rules,
): Promise<ChannelAccessChange> {
  const [from, to] = [visibilityLevel(before), visibilityLevel(after)];
  if (from === to && to > 0) {
    return { gain: null, keep: await channelAudience(tx, realm, after, rules), lose: null };
  }
  if (from > to) {
    const { gain, keep, lose } = await channelAccessChange(tx, realm, [after, before], subscribers, rules);
    return { gain: lose, keep, lose: gain };
  }
  const conversations = [after.conversationId];
  const viewersBefore = await listPrivateChannelViewers(tx, realm.id, before, rules);
  if (to === 0) {
    const viewersAfter = await listPrivateChannelViewers(tx, realm.id, after, rules);
    return {
      gain: audienceOfUsers(without(viewersAfter, [...viewersBefore, ...subscribers])),
      keep: { conversations, users: viewersBefore.filter((id) => viewersAfter.includes(id)) },
      lose: audienceOfUsers(without(viewersBefore, [...viewersAfter, ...subscribers])),
    };
  }
  if (from === 1) {
    const guests = await listGuestIds(tx, realm.id);
    return {
      gain: audienceOfUsers(without(guests, subscribers)),
      keep: await channelAudience(tx, realm, before, rules),
      lose: null,
    };
  }
  const except = [...new Set([...viewersBefore, ...subscribers])];
  return {
    gain: to === 1 ? { conversations: [realm.membersConversationId], except } : { except },
    keep: { conversations, users: viewersBefore },
    lose: null,
  };
}

const audienceOfUsers = (users: number[]): Audience | null => (users.length > 0 ? { users } : null);

function without(ids: number[], excluded: number[]): number[] {
  const excludedIds = new Set(excluded);
  return ids.filter((id) => !excludedIds.has(id));
}

/**
 * Addresses an event to a channel's audience. An audience that lists users follows from roles and groups: such an event
 * is refused as stale if the rules have changed when it is appended.
 */
export const toChannelAudience = (audience: Audience, rules: Rules, event: LogEvent): PendingEvent =>
  audience.users?.length ? withRulesVersion(rules, { event, ...audience }) : { event, ...audience };

/** Marks an event whose audience follows from roles and groups: the log refuses it under other rules. */
export const withRulesVersion = ({ version }: Rules, pending: PendingEvent): PendingEvent => ({
  ...pending,
  rulesVersion: version,
});

/**
 * Returns the users who have metadata access to a channel, which means that they may know that it exists. A public
 * channel is visible to everyone except guests and to its subscribers, a private one to its subscribers, to
 * administrators and to the users whom its permissions name, and a web-public one to everyone.
 */
export async function channelAudience(
  tx: Tx,
  realm: AudienceRealm,
  channel: ChannelRow,
  rules: Rules,
): Promise<Audience> {
  if (channel.isWebPublic) return {};
  if (!channel.isPrivate) {
    return { users: [], conversations: [realm.membersConversationId, channel.conversationId] };
  }
  return {
    users: await listPrivateChannelViewers(tx, realm.id, channel, rules),
    conversations: [channel.conversationId],
  };
}

/** The permissions that let users who are not subscribed to a private channel know that it exists. */
export const metadataSettings = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies ChannelGroupSetting[];

/** The ids of active users who may see a private channel without being subscribed. */
async function listPrivateChannelViewers(tx: Tx, realmId: number, channel: ChannelRow, rules: Rules) {
  const { users } = tables;
  const settings = metadataSettings.map((name) => channel.groupSettings[name]);
  const rows = await tx
    .select({ id: users.id, role: users.role, isFullMember: users.isFullMember, groupIds: users.groupIds })
    .from(users)
    .where(
      and(
        eq(users.realmId, realmId),
        users.isActive,
        eq(users.isSystem, false),
        isCandidate(settings, rules),
      ),
    );
  return rows
    .filter(
      (user) =>
        isAdministrator(user) ||
        (!isGuest(user) && settings.some((setting) => rules.includes(setting, user))),
    )
    .map(({ id }) => id);
}

/** A condition that holds of all administrators and all members whom permissions name, and of few others. */
function isCandidate(settings: readonly GroupSetting[], { groups }: Rules): SQL | undefined {
  const { users } = tables;
  const groupIds = settings.flatMap(groupIdsOf).flatMap((id) => [...groups.within(id)]);
  const names = groupIds.map((id) => groups.systemName(id));
  const rolesMax = systemGroups.filter(({ name }) => names.includes(name)).map(({ roleMax }) => roleMax);
  const members = settings.flatMap((setting) => (typeof setting === 'number' ? [] : setting.direct_members));
  const roleMax = Math.min(Math.max(roles.administrator, ...rolesMax), roles.member);
  return or(
    // Administrators have an index of their own.
    sql`${users.role} <= ${numberLiteral(roleMax)}`,
    isAmong(users.id, members),
    sql`${users.groupIds} && ${intArray(groupIds)}`,
  );
}
