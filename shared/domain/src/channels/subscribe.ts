import { type Tx, tables } from '@parley/db';
import { ApiError, type ActionResult, type Draft, type MembershipChange, events, to } from '@parley/protocol';
import { and, eq, inArray } from 'drizzle-orm';

import { type Actor, isGuest } from '../actor.ts';
import { lockConversations, lockName } from '../lock.ts';
import { getRules } from '../realms/rules.ts';
import { type UserRow, listAdministratorIds, listUsers, listUsersByEmail } from '../users/find.ts';
import { type NewChannel, insertChannel } from './create.ts';
import { type ChannelAccess, findChannel, listHeads, listSubscribers } from './find.ts';
import { mayRead } from './may.ts';
import { type ChannelRow, presentChannel, presentSubscription } from './present.ts';

export interface WantedChannel {
  name: string;
  description: string;
  color: string | null;
}

export interface Subscribing {
  channels: WantedChannel[];
  /** User ids or addresses; the actor alone when null. */
  principals: number[] | string[] | null;
  /** For channels that this call creates. */
  creates: Pick<NewChannel, 'isPrivate' | 'sharesHistory'>;
  /** False: channels out of reach are listed in `unauthorized` instead of refusing everything. */
  isStrict: boolean;
}

export interface Subscribed extends ActionResult {
  /** Channel names by user id. */
  subscribed: Map<number, string[]>;
  alreadySubscribed: Map<number, string[]>;
  unauthorized: string[];
}

/** The colours that clients offer; a channel is given one by its id where nobody chose. */
const palette = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'];

/** Subscribes users to channels, and creates the channels that do not exist yet. */
export async function subscribe(tx: Tx, actor: Actor, input: Subscribing): Promise<Subscribed> {
  if (isGuest(actor)) throw new ApiError('BAD_REQUEST', 'Not allowed for guest users');
  const rules = await getRules(tx, actor.realm.id);
  const principals = await getPrincipals(tx, actor, input.principals);

  // By name and case aside, so that two callers create or lock the same channels in the same order.
  const wanted = [...input.channels].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const created: ChannelRow[] = [];
  const reached: { access: ChannelAccess; color: string | null }[] = [];
  const unauthorized: string[] = [];
  for (const { name, description, color } of wanted) {
    let access = await findChannel(tx, actor, name);
    if (!access) {
      await lockName(tx, 'channel', actor.realm.id, name);
      access = await findChannel(tx, actor, name);
    }
    if (!access) {
      const channel = await insertChannel(tx, actor, { name, description, ...input.creates });
      created.push(channel);
      access = { channel, isSubscribed: false };
    } else if (access.channel.isArchived || !mayRead(actor, access, rules)) {
      if (input.isStrict) throw new ApiError('BAD_REQUEST', `Unable to access channel (${name}).`);
      unauthorized.push(name);
      continue;
    }
    reached.push({ access, color });
  }

  const conversationIds = reached.map(({ access }) => access.channel.conversationId);
  await lockConversations(tx, conversationIds);
  const before = await listSubscribers(tx, conversationIds);
  const joins = reached.map(({ access: { channel }, color }) => {
    const present = new Set(before.get(channel.conversationId));
    const [already, joined] = [
      principals.filter(({ id }) => present.has(id)),
      principals.filter(({ id }) => !present.has(id)),
    ];
    return { channel, color: color ?? palette[channel.id % palette.length] ?? '#c2c2c2', already, joined };
  });
  for (const { channel, color, joined } of joins) await insertMembers(tx, channel, color, joined);

  const perUser = (pick: (join: Join) => UserRow[]) =>
    new Map(
      principals.flatMap(({ id }) => {
        const names = joins.filter((join) => pick(join).some((user) => user.id === id));
        return names.length > 0 ? [[id, names.map(({ channel }) => channel.name)]] : [];
      }),
    );
  return {
    events: await eventsOf(tx, actor, joins, created, before),
    memberships: joins.flatMap(({ channel, joined }): MembershipChange[] =>
      joined.length > 0
        ? [{ conversationId: channel.conversationId, joined: joined.map(({ id }) => id), left: [] }]
        : [],
    ),
    // Joining only adds to what anyone may do.
    keepsRules: true,
    subscribed: perUser(({ joined }) => joined),
    alreadySubscribed: perUser(({ already }) => already),
    unauthorized,
  };
}

interface Join {
  channel: ChannelRow;
  color: string;
  already: UserRow[];
  joined: UserRow[];
}

async function getPrincipals(tx: Tx, actor: Actor, named: number[] | string[] | null): Promise<UserRow[]> {
  const wanted = new Set<number | string>(named ?? [actor.id]);
  const ids = [...wanted].filter((one) => typeof one === 'number');
  const emails = [...wanted].filter((one) => typeof one === 'string');
  const byEmail = await listUsersByEmail(tx, actor.realm.id, emails);
  const found = [
    ...(await listUsers(tx, actor.realm.id, ids)),
    ...emails.flatMap((email) => byEmail.get(email.toLowerCase()) ?? []),
  ];
  if (found.length < wanted.size || found.some(({ isActive }) => !isActive)) {
    throw new ApiError('BAD_REQUEST', 'No such user');
  }
  return [...new Map(found.map((user) => [user.id, user])).values()];
}

async function insertMembers(tx: Tx, channel: ChannelRow, color: string, joined: UserRow[]): Promise<void> {
  if (joined.length === 0) return;
  const { conversationMembers } = tables;
  const conversationId = channel.conversationId;
  await tx
    .insert(conversationMembers)
    .values(joined.map(({ id }) => ({ conversationId, userId: id, color, isSubscribed: false })))
    .onConflictDoNothing();
  // The log writes the ranges of those who come back under its lock: hold their rows before it.
  const ids = joined.map(({ id }) => id);
  const these = and(
    eq(conversationMembers.conversationId, conversationId),
    inArray(conversationMembers.userId, ids),
  );
  await tx
    .select({ id: conversationMembers.userId })
    .from(conversationMembers)
    .where(these)
    .orderBy(conversationMembers.userId)
    .for('update');
}

/** A channel's first message may be sent at this very moment: the log knows whether it came before. */
const firstMessageIn = ({ conversationId }: ChannelRow, list: string) => ({
  conversationId,
  path: [list, '0', 'first_message_id'],
});

/** Who sees that a private channel exists without being in it. */
const outsidersOf = ({ creatorId }: ChannelRow, administrators: number[]) => [
  ...administrators,
  ...(creatorId === null ? [] : [creatorId]),
];

/** Order of reference/events.md 5: channels appear, then the subscribed hear of it, then the others. */
async function eventsOf(
  tx: Tx,
  actor: Actor,
  joins: Join[],
  created: ChannelRow[],
  before: Map<number, number[]>,
): Promise<Draft[]> {
  const members = actor.realm.membersConversationId;
  const heads = await listHeads(
    tx,
    joins.map(({ channel }) => channel.conversationId),
  );
  const administrators = await listAdministratorIds(tx, actor.realm.id);

  const present = (channel: ChannelRow, more: number) => {
    const firstMessageId = heads.get(channel.conversationId)?.firstMessageId ?? null;
    const subscriberCount = (before.get(channel.conversationId)?.length ?? 0) + more;
    return presentChannel(channel, { firstMessageId, subscriberCount });
  };
  const drafts: Draft[] = [];
  for (const { channel, joined } of joins) {
    const record = present(channel, 0);
    const create = events.stream.create({ streams: [record] });
    const newcomers = joined.map(({ id }) => id);
    if (!created.includes(channel)) {
      // Those who could not see a private channel, or any channel as guests, learn that it exists.
      const blind = joined.filter(({ role }) => (channel.isPrivate ? role > 200 : role === 600));
      const ids = blind.map(({ id }) => id);
      if (ids.length > 0) {
        drafts.push({ ...to.users(ids, create), firstMessage: firstMessageIn(channel, 'streams') });
      }
    } else if (channel.isPrivate) drafts.push(to.users([...newcomers, ...administrators, actor.id], create));
    else drafts.push({ event: create, conversations: [members], users: newcomers });
  }
  for (const { channel, color, joined } of joins) {
    const record = present(channel, joined.length);
    const subscribers = [...(before.get(channel.conversationId) ?? []), ...joined.map(({ id }) => id)].sort(
      ascending,
    );
    const subscription = presentSubscription(record, { color, pinToTop: false, isMuted: false });
    for (const user of joined) {
      const added = events.subscription.add({ subscriptions: [{ ...subscription, subscribers }] });
      drafts.push({ ...to.user(user, added), firstMessage: firstMessageIn(channel, 'subscriptions') });
    }
  }
  for (const { channel, joined } of joins) {
    if (joined.length === 0) continue;
    const ids = joined.map(({ id }) => id);
    const event = events.subscription.peer_add({ stream_ids: [channel.id], user_ids: ids });
    drafts.push({
      event,
      conversations: channel.isPrivate ? [channel.conversationId] : [members, channel.conversationId],
      ...(channel.isPrivate && { users: outsidersOf(channel, administrators) }),
      except: ids,
    });
  }
  return drafts;
}

const ascending = (a: number, b: number) => a - b;
