import { type ChannelRow, type UserRow, type Tx, tables } from '@parley/db';
import { type AudienceRealm, isGuest, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PendingEvent, events } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

/** A channel that users are to be subscribed to. */
export interface JoinRequest {
  channel: ChannelRow;
  users: UserRow[];
  /** Null means the colour that they had, or the channel's default. */
  color: string | null;
  /** The channel was created by this action, so that no client knows it. */
  isNew: boolean;
}

export interface JoinResult extends JoinRequest {
  /** The users of the request who were subscribed already. */
  alreadySubscribed: UserRow[];
  joined: UserRow[];
}

/** The colours that clients offer. A channel's id decides its default colour. */
const palette = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'];

const defaultColor = ({ id }: ChannelRow) => palette[id % palette.length] ?? '#c2c2c2';

/**
 * Subscribes users to channels. The caller has checked that it is permitted, and has locked the channels' conversations.
 */
export async function join(
  tx: Tx,
  realm: AudienceRealm,
  rules: model.permissions.Rules,
  requests: JoinRequest[],
): Promise<ActionResult & { joins: JoinResult[] }> {
  const conversationIds = requests.map(({ channel }) => channel.conversationId);
  const userIds = requests.flatMap(({ users }) => users.map(({ id }) => id));
  const subscribedTo = await model.channels.listSubscribedAmong(tx, realm.id, conversationIds, userIds);
  const joins = requests.map((request): JoinResult => {
    const present = subscribedTo(request.channel.conversationId);
    const alreadySubscribed = request.users.filter(({ id }) => present.has(id));
    return {
      ...request,
      alreadySubscribed,
      joined: request.users.filter(({ id }) => !present.has(id)),
    };
  });
  joins.sort((a, b) => a.channel.conversationId - b.channel.conversationId);
  const memberships = new Map<JoinResult, Map<number, model.channels.Membership>>();
  for (const request of joins) memberships.set(request, await lockMembers(tx, request));
  return {
    joins,
    events: await joinEvents(tx, realm, rules, memberships),
    memberships: joins
      .filter(({ joined }) => joined.length > 0)
      .map(({ channel, joined }) => ({
        conversationId: channel.conversationId,
        joined: joined.map(({ id }) => id),
        left: [],
      })),
    // Joining takes no permission from anyone. But whoever is given a role or a group beside this is told of the channels
    // that they see with it, and does not find one that is new.
    changesRules: joins.some(({ isNew }) => isNew),
  };
}

/** Locks the member rows of the users who join, creating those that do not exist, and returns them by user id. */
async function lockMembers(
  tx: Tx,
  { channel, color, joined }: JoinResult,
): Promise<Map<number, model.channels.Membership>> {
  if (joined.length === 0) return new Map();
  const { conversationMembers } = tables;
  const { realmId, conversationId } = channel;
  const ids = joined.map(({ id }) => id);
  await tx
    .insert(conversationMembers)
    .values(
      ids.map((userId) => ({
        realmId,
        conversationId,
        userId,
        color: defaultColor(channel),
        isSubscribed: false,
        wasSubscribed: false,
      })),
    )
    .onConflictDoNothing();
  const areJoining = and(
    eq(conversationMembers.realmId, realmId),
    eq(conversationMembers.conversationId, conversationId),
    isAmong(conversationMembers.userId, ids),
  );
  // The log writes the ranges of users who come back under its lock, so their rows are locked before it.
  const rows = await tx
    .select()
    .from(conversationMembers)
    .where(areJoining)
    .orderBy(conversationMembers.userId)
    .for('update');
  if (color !== null) {
    await tx.update(conversationMembers).set({ color }).where(areJoining);
  }
  return new Map(rows.map((row) => [row.userId, color === null ? row : { ...row, color }]));
}

/** Clients expect this order: channels that appear, then events for the new subscribers, then for the others. */
async function joinEvents(
  tx: Tx,
  realm: AudienceRealm,
  rules: model.permissions.Rules,
  memberships: Map<JoinResult, Map<number, model.channels.Membership>>,
): Promise<PendingEvent[]> {
  const joins = [...memberships.keys()];
  const heads = await model.channels.listChannelHeads(
    tx,
    realm.id,
    joins.map(({ channel }) => channel.conversationId),
  );
  const present = (channel: ChannelRow, more: number) => {
    const { firstMessageId, subscriberCount } = heads.get(channel.conversationId) ?? emptyHead;
    const facts = { firstMessageId, subscriberCount: subscriberCount + more };
    return model.channels.presentChannel(channel, facts, rules);
  };
  const listEveryone = await prepareLists(tx, realm, joins);
  const appeared: PendingEvent[] = [];
  const subscribed: PendingEvent[] = [];
  const others: PendingEvent[] = [];
  for (const [{ channel, joined, isNew }, membershipsOf] of memberships) {
    const ids = joined.map(({ id }) => id);
    const event = events.stream.create({ streams: [present(channel, 0)] });
    const firstMessage = model.channels.firstMessageIdPlaceholder(channel, 'streams');
    if (isNew)
      appeared.push(
        model.access.toChannelAudience(
          await model.access.channelAudience(tx, realm, channel, rules),
          rules,
          event,
        ),
      );
    else {
      const withoutAccess = joined.filter(
        (user) => !model.access.maySeeChannel(user, { channel, isSubscribed: false }, rules),
      );
      if (withoutAccess.length > 0)
        appeared.push({ event, users: withoutAccess.map(({ id }) => id), firstMessage });
    }
    if (ids.length === 0) continue;
    const adds = model.channels.subscriptionAddedEvents(
      channel,
      present(channel, ids.length),
      listEveryone(channel, ids),
      joined,
      membershipsOf,
    );
    // Whether they saw the channel before depends on their roles.
    const dependsOnRoles = channel.isPrivate || joined.some(isGuest);
    subscribed.push(
      ...(dependsOnRoles ? adds.map((pending) => model.access.withRulesVersion(rules, pending)) : adds),
    );
    const peers = events.subscription.peer_add({ stream_ids: [channel.id], user_ids: ids });
    const audience = await model.access.channelAudience(tx, realm, channel, rules);
    others.push(model.access.toChannelAudience({ ...audience, except: ids }, rules, peers));
  }
  return [...appeared, ...subscribed, ...others];
}

const emptyHead = { firstMessageId: null, subscriberCount: 0 };

/** Prepares the lists of subscribers that events have where nodes cannot list them: without them, they are null. */
async function prepareLists(tx: Tx, realm: AudienceRealm, joins: JoinResult[]) {
  if (await model.channels.mayNameAudiences(tx)) return () => null;
  const conversationIds = joins.map(({ channel }) => channel.conversationId);
  const subscribers = await model.channels.listSubscribers(tx, realm.id, conversationIds);
  return ({ conversationId }: ChannelRow, joinedIds: number[]) =>
    [...(subscribers.get(conversationId) ?? []), ...joinedIds].sort((a, b) => a - b);
}
