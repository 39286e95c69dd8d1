import { type ChannelRow, type UserRow, type Tx, tables } from '@parley/db';
import {
  type AudienceRealm,
  type Rules,
  listSubscribers,
  type Membership,
  firstMessageIdPlaceholder,
  subscriptionAddedEvents,
  listChannelHeads,
  presentChannel,
  toChannelAudience,
  channelAudience,
  maySeeChannel,
  isGuest,
  withRulesVersion,
} from '@parley/model';
import { type ActionResult, type PendingEvent, events } from '@parley/protocol';
import { and, eq, inArray } from 'drizzle-orm';

/** A channel that users are to be in. */
export interface JoinRequest {
  channel: ChannelRow;
  users: UserRow[];
  /** Null: the one that they had, or the channel's own. */
  color: string | null;
  /** Made by this action: nobody has heard of it. */
  isNew: boolean;
}

export interface JoinResult extends JoinRequest {
  /** Who is subscribed already, of those that are to be. */
  already: UserRow[];
  joined: UserRow[];
  /** Everyone who was subscribed before. */
  before: number[];
}

/** The colours that clients offer; a channel is given one by its id where nobody chose. */
const palette = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'];

const defaultColor = ({ id }: ChannelRow) => palette[id % palette.length] ?? '#c2c2c2';

/**
 * Subscribes users to channels: what is to be written, and who is to hear of it. Whether they may is settled; the
 * caller holds the channels' conversations.
 */
export async function join(
  tx: Tx,
  realm: AudienceRealm,
  rules: Rules,
  joinings: JoinRequest[],
): Promise<ActionResult & { joins: JoinResult[] }> {
  const conversationIds = joinings.map(({ channel }) => channel.conversationId);
  const subscribers = await listSubscribers(tx, conversationIds);
  const joins = joinings.map((joining): JoinResult => {
    const before = subscribers.get(joining.channel.conversationId) ?? [];
    const present = new Set(before);
    const already = joining.users.filter(({ id }) => present.has(id));
    return { ...joining, before, already, joined: joining.users.filter(({ id }) => !present.has(id)) };
  });
  joins.sort((a, b) => a.channel.conversationId - b.channel.conversationId);
  const memberships = new Map<JoinResult, Map<number, Membership>>();
  for (const one of joins) memberships.set(one, await lockMembers(tx, one));
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
    // Joining only adds to what anyone may do.
    keepsRules: true,
  };
}

/** What each of the newcomers has set about the channel: usually nothing yet, else what they had. */
async function lockMembers(tx: Tx, { channel, color, joined }: JoinResult): Promise<Map<number, Membership>> {
  if (joined.length === 0) return new Map();
  const { conversationMembers } = tables;
  const { conversationId } = channel;
  const ids = joined.map(({ id }) => id);
  await tx
    .insert(conversationMembers)
    .values(
      ids.map((userId) => ({
        conversationId,
        userId,
        color: defaultColor(channel),
        isSubscribed: false,
        wasSubscribed: false,
      })),
    )
    .onConflictDoNothing();
  // The log writes the ranges of those who come back under its lock: hold their rows before it.
  const rows = await tx
    .select()
    .from(conversationMembers)
    .where(
      and(eq(conversationMembers.conversationId, conversationId), inArray(conversationMembers.userId, ids)),
    )
    .orderBy(conversationMembers.userId)
    .for('update');
  if (color !== null) {
    await tx
      .update(conversationMembers)
      .set({ color })
      .where(
        and(eq(conversationMembers.conversationId, conversationId), inArray(conversationMembers.userId, ids)),
      );
  }
  return new Map(rows.map((row) => [row.userId, color === null ? row : { ...row, color }]));
}

/** Order of reference/events.md 5: channels appear, then the subscribed hear of it, then the others. */
async function joinEvents(
  tx: Tx,
  realm: AudienceRealm,
  rules: Rules,
  memberships: Map<JoinResult, Map<number, Membership>>,
): Promise<PendingEvent[]> {
  const joins = [...memberships.keys()];
  const heads = await listChannelHeads(
    tx,
    joins.map(({ channel }) => channel.conversationId),
  );
  const present = (channel: ChannelRow, subscriberCount: number) => {
    const firstMessageId = heads.get(channel.conversationId)?.firstMessageId ?? null;
    return presentChannel(channel, { firstMessageId, subscriberCount }, rules);
  };
  const appeared: PendingEvent[] = [];
  const subscribed: PendingEvent[] = [];
  const others: PendingEvent[] = [];
  for (const [one, mine] of memberships) {
    const { channel, joined, before, isNew } = one;
    const ids = joined.map(({ id }) => id);
    const event = events.stream.create({ streams: [present(channel, before.length)] });
    const firstMessage = firstMessageIdPlaceholder(channel, 'streams');
    if (isNew)
      appeared.push(toChannelAudience(await channelAudience(tx, realm, channel, rules), rules, event));
    else {
      const blind = joined.filter((user) => !maySeeChannel(user, { channel, isSubscribed: false }, rules));
      if (blind.length > 0) appeared.push({ event, users: blind.map(({ id }) => id), firstMessage });
    }
    if (ids.length === 0) continue;
    const everyone = [...before, ...ids].sort((a, b) => a - b);
    const adds = subscriptionAddedEvents(channel, present(channel, everyone.length), everyone, joined, mine);
    // Whether they saw the channel before depends on their roles.
    const hangsOnRoles = channel.isPrivate || joined.some(isGuest);
    subscribed.push(...(hangsOnRoles ? adds.map((draft) => withRulesVersion(rules, draft)) : adds));
    const peers = events.subscription.peer_add({ stream_ids: [channel.id], user_ids: ids });
    const audience = await channelAudience(tx, realm, channel, rules);
    others.push(toChannelAudience({ ...audience, except: ids }, rules, peers));
  }
  return [...appeared, ...subscribed, ...others];
}
