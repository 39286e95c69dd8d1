import type { Tx } from '@parley/db';
import { ApiError, type ActionResult } from '@parley/protocol';

import { type Actor, isGuest } from '../actor.ts';
import { lockName } from '../lock.ts';
import { type Rules, getRules } from '../realms/rules.ts';
import type { UserRow } from '../users/find.ts';
import { defaultsDraft, lockDefaults } from './defaults.ts';
import { type ChannelAccess, findChannel } from './find.ts';
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
  if (isGuest(actor)) throw new ApiError('BAD_REQUEST', 'Not allowed for guest users');
  const rules = await getRules(tx, actor.realm.id);
  const principals = await getPrincipals(tx, actor, input.principals);
  const isForOthers = principals.some(({ id }) => id !== actor.id);

  if (input.creates.isDefault) await lockDefaults(tx, actor.realm);
  const joinings: Joining[] = [];
  const unauthorized: string[] = [];
  for (const wanted of inOrder(input.channels)) {
    const { access, isNew } = await findOrMake(tx, actor, rules, wanted, input.creates);
    const { channel } = access;
    if (!isNew && (channel.isArchived || !mayRead(actor, access, rules))) {
      if (input.isStrict) throw new ApiError('BAD_REQUEST', `Unable to access channel (${wanted.name}).`);
      unauthorized.push(wanted.name);
      continue;
    }
    if (isForOthers && !mayAddSubscribers(actor, access, rules)) {
      throw new ApiError('BAD_REQUEST', 'Insufficient permission');
    }
    joinings.push({ channel, users: principals, color: wanted.color, isNew });
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
): Promise<{ access: ChannelAccess; isNew: boolean }> {
  const known = await findChannel(tx, actor, name);
  if (known) return { access: known, isNew: false };
  await lockName(tx, 'channel', actor.realm.id, name);
  const access = await findChannel(tx, actor, name);
  if (access) return { access, isNew: false };
  const settings = await readNewSettings(tx, actor, rules, creates);
  const channel = await insertChannel(tx, actor, { name, description, ...settings });
  return { access: { channel, isSubscribed: false }, isNew: true };
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
