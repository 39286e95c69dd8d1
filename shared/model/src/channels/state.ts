import { type Tx, tables } from '@parley/db';
import { type Channel, type InheritedSettings, subscriptionFor } from '@parley/protocol';
import { and, eq, or, sql } from 'drizzle-orm';

import { mayReadChannel, maySeeChannel } from '../access/channel-permissions.ts';
import type { ChannelAccess } from '../access/channel-permissions.ts';
import type { Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { listChannelHeads, listHeadsOfRealm, listPartialSubscribers, listSubscribers } from './find.ts';
import {
  type Membership,
  inheritedBy,
  inheritedSettings,
  presentChannel,
  presentSubscription,
} from './present.ts';

/** With `partial`, large channels list only bots and users who were recently active. */
export type IncludeSubscribers = 'true' | 'false' | 'partial';

/** A channel as POST /register presents it to one user. */
export interface ChannelRecord extends ChannelAccess {
  record: Channel;
  /** The actor's settings of the channel; null if the actor was never subscribed. */
  membership: Membership | null;
  mayRead: boolean;
}

const emptyHead = { firstMessageId: null, subscriberCount: 0 };

/**
 * Returns all channels that the actor has metadata access to, archived ones included, by name. Memberships and channels are
 * put together here: Postgres would look up a membership for each channel.
 */
export async function listChannelRecords(tx: Tx, actor: Actor): Promise<ChannelRecord[]> {
  const { channels, conversationMembers } = tables;
  const [rules, rows, heads, memberships] = await Promise.all([
    getRules(tx, actor.realm.id),
    tx
      .select()
      .from(channels)
      .where(eq(channels.realmId, actor.realm.id))
      .orderBy(sql`lower(${channels.name})`),
    listHeadsOfRealm(tx, actor.realm.id),
    tx
      .select()
      .from(conversationMembers)
      .where(
        and(
          eq(conversationMembers.realmId, actor.realm.id),
          eq(conversationMembers.userId, actor.id),
          or(conversationMembers.isSubscribed, conversationMembers.wasSubscribed),
        ),
      ),
  ]);
  const membershipOf = new Map(memberships.map((row) => [row.conversationId, row]));
  return rows.flatMap((channel) => {
    const row = membershipOf.get(channel.conversationId);
    const access = { channel, isSubscribed: row?.isSubscribed ?? false };
    if (!maySeeChannel(actor, access, rules)) return [];
    return [
      {
        record: presentChannel(channel, heads.get(channel.conversationId) ?? emptyHead, rules),
        // A mention creates a membership, but does not make anyone a former subscriber.
        membership: row?.wasSubscribed ? row : null,
        mayRead: mayReadChannel(actor, access, rules),
        ...access,
      },
    ];
  });
}

/** The columns of the settings that a subscription may inherit. */
const inheritableColumns = {
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Record<keyof InheritedSettings, keyof Membership>;

/**
 * Returns by setting of the account, of those that channels inherit, the channels in which the actor, subscribed or
 * formerly so, inherits it.
 */
export async function listInheriting(tx: Tx, actor: Actor, settings: readonly string[]) {
  const inherited = settings.flatMap((setting) => {
    const property = inheritedBy[setting];
    return property ? [{ setting, property }] : [];
  });
  const records = inherited.length > 0 ? await listChannelRecords(tx, actor) : [];
  return new Map(
    inherited.map(({ setting, property }) => {
      const channels = records
        .filter(({ membership }) => membership?.[inheritableColumns[property]] === null)
        .map(({ channel }) => ({ id: channel.id, is_archived: channel.isArchived }));
      return [setting, { property, channels }];
    }),
  );
}

/** Drops archived channels for clients that do not handle them. */
const filterArchived = (visible: readonly ChannelRecord[], withArchived: boolean) =>
  visible.filter(({ channel }) => withArchived || !channel.isArchived);

/** Returns `streams` of POST /register: all channels that the actor has metadata access to. */
export const channelsState = (visible: readonly ChannelRecord[], withArchived: boolean): Channel[] =>
  filterArchived(visible, withArchived).map(({ record }) => record);

/** Returns a channel as API object. The caller has checked that the actor has metadata access to it. */
export async function presentVisibleChannel(
  tx: Tx,
  actor: Actor,
  { channel }: ChannelAccess,
): Promise<Channel> {
  const heads = await listChannelHeads(tx, channel.realmId, [channel.conversationId]);
  const head = heads.get(channel.conversationId) ?? emptyHead;
  return presentChannel(channel, head, await getRules(tx, actor.realm.id));
}

export interface SubscriptionsOptions {
  include: IncludeSubscribers;
  withArchived: boolean;
  /** If false, notification settings that a subscription leaves null are replaced by the user's own defaults. */
  withNullSettings: boolean;
}

/**
 * Returns `subscriptions`, `unsubscribed` and `never_subscribed` of POST /register: each visible channel is in exactly
 * one.
 */
export async function subscriptionsState(
  tx: Tx,
  actor: Actor,
  channels: readonly ChannelRecord[],
  options: SubscriptionsOptions,
) {
  const { include, withArchived, withNullSettings } = options;
  const visible = filterArchived(channels, withArchived);
  const subscribers = await readSubscribers(tx, actor, include, visible);
  const inherited = inheritedSettings(actor.settings);

  const withSubscribers = <Record extends object>({ channel }: ChannelRecord, record: Record) =>
    Object.assign({}, record, subscribers?.get(channel.conversationId));
  const subscription = (channel: ChannelRecord, membership: Membership) => {
    const form = { notification_settings_null: withNullSettings, include_subscribers: true };
    const record = subscriptionFor(presentSubscription(channel.record, membership), inherited, form);
    return withSubscribers(channel, record);
  };
  const listed = (isSubscribed: boolean) =>
    visible.flatMap((channel) =>
      channel.membership && channel.isSubscribed === isSubscribed
        ? [subscription(channel, channel.membership)]
        : [],
    );
  return {
    subscriptions: listed(true),
    unsubscribed: listed(false),
    never_subscribed: visible
      .filter(({ membership }) => !membership)
      .map((channel) => withSubscribers(channel, channel.record)),
  };
}

type Subscribers = { subscribers: number[] } | { partial_subscribers: number[] };

async function readSubscribers(
  tx: Tx,
  actor: Actor,
  include: IncludeSubscribers,
  visible: ChannelRecord[],
): Promise<Map<number, Subscribers> | null> {
  if (include === 'false') return null;
  const ids = visible.map(({ channel }) => channel.conversationId);
  if (include === 'partial') return await listPartialSubscribers(tx, actor.realm.id, ids);
  const whole = await listSubscribers(tx, actor.realm.id, ids);
  return new Map([...whole].map(([id, subscribers]) => [id, { subscribers }]));
}
