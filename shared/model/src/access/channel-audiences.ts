import { type ChannelRow, type Tx, tables } from '@parley/db';
import type { Audience, LogEvent, PendingEvent, GroupSetting } from '@parley/protocol';
import { or, lte, inArray, and, eq } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';
import { systemGroups } from '../permissions/system-groups.ts';
import { listGuestIds } from './user-audiences.ts';

/** Whom a change of a channel lets see it, who saw it and goes on to, and from whom it takes the sight. */
export interface ChannelAccessChange {
  gain: Audience | null;
  keep: Audience;
  lose: Audience | null;
}

/** How many see a channel: those it names, everyone but guests, everyone. */
const visibilityLevel = ({ isPrivate, isWebPublic }: ChannelRow) => (isWebPublic ? 2 : isPrivate ? 0 : 1);

export async function channelAccessChange(
  tx: Tx,
  realm: AudienceRealm,
  [before, after]: readonly [ChannelRow, ChannelRow],
  subscribers: number[],
  rules: Rules,
): Promise<ChannelAccessChange> {
  const [from, to] = [visibilityLevel(before), visibilityLevel(after)];
  if (from === to && to > 0)
    return { gain: null, keep: await channelAudience(tx, realm, after, rules), lose: null };
  if (from > to) {
    const { gain, keep, lose } = await channelAccessChange(tx, realm, [after, before], subscribers, rules);
    return { gain: lose, keep, lose: gain };
  }
  const conversations = [after.conversationId];
  const outsiders = await listPrivateChannelViewers(tx, realm.id, before, rules);
  if (to === 0) {
    const others = await listPrivateChannelViewers(tx, realm.id, after, rules);
    return {
      gain: audienceOfUsers(without(others, [...outsiders, ...subscribers])),
      keep: { conversations, users: outsiders.filter((id) => others.includes(id)) },
      lose: audienceOfUsers(without(outsiders, [...others, ...subscribers])),
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
  const except = [...new Set([...outsiders, ...subscribers])];
  return {
    gain: to === 1 ? { conversations: [realm.membersConversationId], except } : { except },
    keep: { conversations, users: outsiders },
    lose: null,
  };
}

const audienceOfUsers = (users: number[]): Audience | null => (users.length > 0 ? { users } : null);

function without(ids: number[], those: number[]): number[] {
  const left = new Set(those);
  return ids.filter((id) => !left.has(id));
}

/**
 * Addresses an event to those who see a channel. Who they are depends on roles and groups where the channel is not
 * simply public: then the event is refused as stale if these have changed when it is appended.
 */
export const toChannelAudience = (watchers: Audience, rules: Rules, event: LogEvent): PendingEvent =>
  watchers.users?.length ? withRulesVersion(rules, { event, ...watchers }) : { event, ...watchers };

/** Of an event whose audience follows from roles and groups. */
export const withRulesVersion = ({ version }: Rules, draft: PendingEvent): PendingEvent => ({
  ...draft,
  rulesVersion: version,
});

/** What of a realm its audiences are made of. */
export type AudienceRealm = Pick<Realm, 'id' | 'membersConversationId'>;

/**
 * Who sees that a channel exists, its metadata access: of a public one all but guests, and its subscribers; of a
 * private one its subscribers, administrators, and whoever its permissions let in; of a web-public one everyone.
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

/** Active users who see a private channel whether or not they are subscribed. */
export async function listPrivateChannelViewers(tx: Tx, realmId: number, channel: ChannelRow, rules: Rules) {
  const { users } = tables;
  const { can_administer_channel_group, can_add_subscribers_group, can_subscribe_group } =
    channel.groupSettings;
  const settings = [can_administer_channel_group, can_add_subscribers_group, can_subscribe_group];
  const roleMax = Math.max(200, ...settings.map((setting) => roleMaxOf(setting, rules)));
  const direct = settings.flatMap((setting) => (typeof setting === 'number' ? [] : setting.direct_members));
  const possible = or(
    lte(users.role, Math.min(roleMax, 400)),
    direct.length > 0 ? inArray(users.id, direct) : undefined,
  );
  const rows = await tx
    .select({ id: users.id, role: users.role, isFullMember: users.isFullMember })
    .from(users)
    .where(and(eq(users.realmId, realmId), users.isActive, eq(users.isSystem, false), possible));
  return rows
    .filter(
      (user) =>
        user.role <= 200 || (user.role < 600 && settings.some((setting) => rules.includes(setting, user))),
    )
    .map(({ id }) => id);
}

/** The highest role number among the groups that a setting names. */
function roleMaxOf(setting: GroupSetting, rules: Rules): number {
  const ids = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
  const names = ids.map((id) => rules.groups.find((group) => group.id === id)?.name);
  return Math.max(
    0,
    ...systemGroups.filter(({ name }) => names.includes(name)).map(({ roleMax }) => roleMax),
  );
}
