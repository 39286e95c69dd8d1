import { type Tx, tables } from '@parley/db';
import { type Channel, withoutInherited } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { type ChannelAccess, listHeads, listSubscribers, listVisibleChannels } from './find.ts';
import { type Membership, presentChannel, presentSubscription } from './present.ts';

/** `partial` leaves the server free to list everyone, and it does. */
export type IncludeSubscribers = 'true' | 'false' | 'partial';

interface VisibleChannel extends ChannelAccess {
  record: Channel;
  membership: Membership | null;
}

async function listWithRecords(tx: Tx, actor: Actor, withArchived: boolean): Promise<VisibleChannel[]> {
  const { conversationMembers } = tables;
  const visible = (await listVisibleChannels(tx, actor)).filter(
    ({ channel }) => withArchived || !channel.isArchived,
  );
  const heads = await listHeads(
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
    const facts = heads.get(conversationId) ?? { firstMessageId: null, subscriberCount: 0 };
    return {
      ...access,
      record: presentChannel(access.channel, facts),
      membership: membershipOf.get(conversationId) ?? null,
    };
  });
}

/** `streams` of POST /register and of GET /streams: every channel that the actor may see. */
export async function channelsState(tx: Tx, actor: Actor, withArchived: boolean): Promise<Channel[]> {
  return (await listWithRecords(tx, actor, withArchived)).map(({ record }) => record);
}

export interface ListedChannel extends ChannelAccess {
  record: Channel;
}

export async function listChannels(tx: Tx, actor: Actor): Promise<ListedChannel[]> {
  return await listWithRecords(tx, actor, true);
}

export interface SubscriptionsOptions {
  include: IncludeSubscribers;
  withArchived: boolean;
  /** Without it, null notification settings become the user's own defaults, which are all false. */
  withNullSettings: boolean;
}

/** `subscriptions`, `unsubscribed` and `never_subscribed`: every visible channel is in exactly one. */
export async function subscriptionsState(tx: Tx, actor: Actor, options: SubscriptionsOptions) {
  const { include, withArchived, withNullSettings } = options;
  const visible = await listWithRecords(tx, actor, withArchived);
  const subscribers =
    include === 'false'
      ? null
      : await listSubscribers(
          tx,
          visible.map(({ channel }) => channel.conversationId),
        );

  const withSubscribers = <Record extends object>({ channel }: VisibleChannel, record: Record) =>
    subscribers ? { ...record, subscribers: subscribers.get(channel.conversationId) ?? [] } : record;
  const subscription = (one: VisibleChannel, membership: Membership) => {
    const record = presentSubscription(one.record, membership);
    return withSubscribers(one, withNullSettings ? record : withoutInherited(record));
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
