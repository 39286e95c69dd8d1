import { type Tx, tables } from '@parley/db';
import { type Channel, withoutInherited } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { mayReadChannel } from '../access/channel-permissions.ts';
import type { ChannelAccess } from '../access/channel-permissions.ts';
import { listVisibleChannels } from '../access/channels.ts';
import type { Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { listChannelHeads, listPartialSubscribers, listSubscribers } from './find.ts';
import { type Membership, presentChannel, inheritedSettings, presentSubscription } from './present.ts';

/** `partial`: of large channels only bots and who was here lately. */
export type IncludeSubscribers = 'true' | 'false' | 'partial';

export interface ChannelRecord extends ChannelAccess {
  record: Channel;
  /** What the actor has set; null where never subscribed. */
  membership: Membership | null;
  mayRead: boolean;
}

const emptyHead = { firstMessageId: null, subscriberCount: 0 };

/** Every channel that the actor may see, archived ones included, with what the actor is to it. */
export async function listChannelRecords(tx: Tx, actor: Actor): Promise<ChannelRecord[]> {
  const { conversationMembers } = tables;
  const rules = await getRules(tx, actor.realm.id);
  const visible = await listVisibleChannels(tx, actor, rules);
  const heads = await listChannelHeads(
    tx,
    visible.map(({ channel }) => channel.conversationId),
  );
  const mine = await tx
    .select()
    .from(conversationMembers)
    .where(and(eq(conversationMembers.userId, actor.id), conversationMembers.wasSubscribed));
  const membershipOf = new Map(mine.map((row) => [row.conversationId, row]));
  return visible.map((access) => {
    const { conversationId } = access.channel;
    const membership = membershipOf.get(conversationId);
    return {
      ...access,
      record: presentChannel(access.channel, heads.get(conversationId) ?? emptyHead, rules),
      // A mention alone makes nobody a former subscriber.
      membership: membership?.wasSubscribed ? membership : null,
      mayRead: mayReadChannel(actor, access, rules),
    };
  });
}

/** Those of some channels that a client knows of. */
const filterArchived = (visible: readonly ChannelRecord[], withArchived: boolean) =>
  visible.filter(({ channel }) => withArchived || !channel.isArchived);

/** `streams` of POST /register: every channel that the actor may see. */
export const channelsState = (visible: readonly ChannelRecord[], withArchived: boolean): Channel[] =>
  filterArchived(visible, withArchived).map(({ record }) => record);

/** One channel as the actor sees it. */
export async function presentVisibleChannel(
  tx: Tx,
  actor: Actor,
  { channel }: ChannelAccess,
): Promise<Channel> {
  const heads = await listChannelHeads(tx, [channel.conversationId]);
  const facts = heads.get(channel.conversationId) ?? emptyHead;
  return presentChannel(channel, facts, await getRules(tx, actor.realm.id));
}

export interface SubscriptionsOptions {
  include: IncludeSubscribers;
  withArchived: boolean;
  /** Without it, notification settings that a subscription leaves open become what the user has chosen for all. */
  withNullSettings: boolean;
}

/** `subscriptions`, `unsubscribed` and `never_subscribed`: every visible channel is in exactly one. */
export async function subscriptionsState(
  tx: Tx,
  actor: Actor,
  all: readonly ChannelRecord[],
  options: SubscriptionsOptions,
) {
  const { include, withArchived, withNullSettings } = options;
  const visible = filterArchived(all, withArchived);
  const subscribers = await readSubscribers(tx, actor, include, visible);
  const inherited = inheritedSettings(actor.settings);

  const withSubscribers = <Record extends object>({ channel }: ChannelRecord, record: Record) => ({
    ...record,
    ...subscribers?.get(channel.conversationId),
  });
  const subscription = (one: ChannelRecord, membership: Membership) => {
    const record = presentSubscription(one.record, membership);
    return withSubscribers(one, withNullSettings ? record : withoutInherited(record, inherited));
  };
  const mine = visible.flatMap((one) => (one.membership ? [{ one, membership: one.membership }] : []));
  const listed = (isSubscribed: boolean) =>
    mine
      .filter(({ one }) => one.isSubscribed === isSubscribed)
      .map(({ one, membership }) => subscription(one, membership));
  return {
    subscriptions: listed(true),
    unsubscribed: listed(false),
    never_subscribed: visible
      .filter(({ membership }) => !membership)
      .map((one) => withSubscribers(one, one.record)),
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
  const whole = await listSubscribers(tx, ids);
  return new Map([...whole].map(([id, subscribers]) => [id, { subscribers }]));
}
