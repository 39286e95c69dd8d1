import type { Tx } from '@parley/db';
import { ApiError, type ActionResult } from '@parley/protocol';

import { type Actor, isGuest } from '../actor.ts';
import { lockName } from '../lock.ts';
import { type Rules, getRules } from '../realms/rules.ts';
import type { UserRow } from '../users/find.ts';
import { withSight } from '../users/sight-changes.ts';
import { defaultsDraft, lockDefaults } from './defaults.ts';
import { findChannel, lockChannels } from './find.ts';
import { type NewChannelSettings, insertChannel, readNewSettings } from './insert.ts';
import { type Joined, type Joining, join } from './join.ts';
import { mayAddSubscribers, mayRead } from './may.ts';
import { announce, noticesOfJoining } from './notices.ts';
import { getPrincipals } from './principals.ts';

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
  creates: Partial<NewChannelSettings>;
  isAnnounced?: boolean;
  /** Whether people are told in person that somebody subscribed them. */
  sendsMessages?: boolean;
  /** False: channels out of reach are listed in `unauthorized` instead of refusing everything. */
  isStrict: boolean;
}

export interface Subscribed extends ActionResult {
  /** Channel names by user id. */
  subscribed: Map<number, string[]>;
  alreadySubscribed: Map<number, string[]>;
  unauthorized: string[];
  /** False where too many would have been told. */
  areMessagesSent: boolean;
}

/** Subscribes users to channels, and creates the channels that do not exist yet. */
export async function subscribe(tx: Tx, actor: Actor, input: Subscribing): Promise<Subscribed> {
  const rules = await getRules(tx, actor.realm.id);
  return await withSight(tx, actor.realm, rules, await putIn(tx, actor, rules, input));
}

/** As `subscribe`, without what guests are told of the people they come to see. */
export async function putIn(tx: Tx, actor: Actor, rules: Rules, input: Subscribing): Promise<Subscribed> {
  if (isGuest(actor)) throw new ApiError('BAD_REQUEST', 'Not allowed for guest users');
  const principals = await getPrincipals(tx, actor, input.principals);
  const isForOthers = principals.some(({ id }) => id !== actor.id);

  if (input.creates.isDefault) await lockDefaults(tx, actor.realm);
  const made = new Set<number>();
  for (const wanted of inOrder(input.channels)) {
    const { id, isNew } = await findOrMake(tx, actor, rules, wanted, input.creates);
    if (isNew) made.add(id);
  }
  const find = await lockChannels(
    tx,
    actor,
    input.channels.map(({ name }) => name),
  );
  const joinings: Joining[] = [];
  const unauthorized: string[] = [];
  for (const { name, color } of inOrder(input.channels)) {
    const access = await find(name);
    const isNew = access !== undefined && made.has(access.channel.id);
    if (!access || (!isNew && (access.channel.isArchived || !mayRead(actor, access, rules)))) {
      if (input.isStrict) throw new ApiError('BAD_REQUEST', `Unable to access channel (${name}).`);
      unauthorized.push(name);
      continue;
    }
    if (isForOthers && !mayAddSubscribers(actor, access, rules)) {
      throw new ApiError('BAD_REQUEST', 'Insufficient permission');
    }
    joinings.push({ channel: access.channel, users: principals, color, isNew });
  }

  const { joins, ...result } = await join(tx, actor.realm, rules, joinings);
  const created = joins.filter(({ isNew }) => isNew).map(({ channel }) => channel);
  const messages = input.sendsMessages
    ? await noticesOfJoining(tx, actor, joins)
    : { isSent: false, events: [] };
  return {
    ...result,
    events: [
      ...result.events,
      ...(created.some(({ isDefault }) => isDefault) ? [await defaultsDraft(tx, actor.realm)] : []),
      ...(input.isAnnounced ? await announce(tx, actor, rules, created) : []),
      ...messages.events,
    ],
    subscribed: namesByUser(principals, joins, ({ joined }) => joined),
    alreadySubscribed: namesByUser(principals, joins, ({ already }) => already),
    unauthorized,
    areMessagesSent: messages.isSent,
  };
}

/** By name and case aside, so that two callers create or lock the same channels in the same order. */
const inOrder = <Named extends { name: string }>(channels: Named[]) =>
  [...channels].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));

async function findOrMake(
  tx: Tx,
  actor: Actor,
  rules: Rules,
  { name, description }: WantedChannel,
  creates: Partial<NewChannelSettings>,
): Promise<{ id: number; isNew: boolean }> {
  const find = () => findChannel(tx, actor, name);
  let access = await find();
  if (!access) {
    await lockName(tx, 'channel', actor.realm.id, name);
    access = await find();
  }
  if (access) return { id: access.channel.id, isNew: false };
  const settings = await readNewSettings(tx, actor, rules, creates);
  const { id } = await insertChannel(tx, actor, { name, description, ...settings });
  return { id, isNew: true };
}

const namesByUser = (users: UserRow[], joins: Joined[], pick: (join: Joined) => UserRow[]) =>
  new Map(
    users.flatMap(({ id }) => {
      const names = inOrder(
        joins.filter((one) => pick(one).some((user) => user.id === id)).map(({ channel }) => channel),
      );
      return names.length > 0 ? [[id, names.map(({ name }) => name)]] : [];
    }),
  );
