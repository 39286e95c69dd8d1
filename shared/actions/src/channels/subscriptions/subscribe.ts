import type { Tx, UserRow } from '@parley/db';
import { parseChannelName, parseChannelDescription, type Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PendingEvent, ApiError } from '@parley/protocol';

import { lockName } from '../../lock.ts';
import { type NewChannelSettings, resolveNewSettings, insertChannel } from '../insert.ts';
import { lockChannels, lockDefaults } from '../lock.ts';
import { subscriptionNotices, announcementNotices, creationNotice } from '../notices.ts';
import { type JoinRequest, join, type JoinResult } from './join.ts';
import { getPrincipals } from './principals.ts';

export interface ChannelToJoin {
  name: string;
  description: string;
  color: string | null;
}

export interface SubscribeInput {
  channels: ChannelToJoin[];
  /** Ids or email addresses of users; null means the actor alone. */
  principals: number[] | string[] | null;
  /** Settings of channels that this call creates. */
  creates: Partial<NewChannelSettings>;
  isAnnounced?: boolean;
  /** Whether users get a direct message that somebody subscribed them. */
  sendsMessages?: boolean;
  /** False: channels that the actor may not read are listed in `unauthorized`, and the others are joined. */
  isStrict: boolean;
}

export interface SubscribeResult extends ActionResult {
  /** Channel names by user id. */
  subscribed: Map<number, string[]>;
  alreadySubscribed: Map<number, string[]>;
  unauthorized: string[];
  /** False if users got no direct messages, as when there would have been too many. */
  areMessagesSent: boolean;
}

/**
 * Subscribes users to channels, and creates the channels that do not exist.
 *
 * @throws BAD_REQUEST for a guest, an invalid name, description or setting, users who do not exist, channels that the
 * actor may not read (if strict) or create, or others whom they may not subscribe
 * @throws UNAUTHORIZED_PRINCIPAL for a retention time of new channels, for anyone but owners
 * @throws SYSTEM_GROUP_REQUIRED for a permission that only system groups may have
 */
export async function subscribe(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & SubscribeInput,
): Promise<SubscribeResult> {
  model.permissions.assertMember(actor);
  const parsed = { ...input, channels: parseChannelsToJoin(input.channels) };
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  return await model.accessChanges.withAccessChanges(
    tx,
    actor.realm,
    rules,
    await subscribeUsers(tx, actor, rules, parsed),
  );
}
subscribe.actionName = 'channels.subscribe' as const;

/** Parses names and descriptions to the form that is stored; names that differ only in case are one channel. */
export function parseChannelsToJoin(channels: ChannelToJoin[]): ChannelToJoin[] {
  const parsed = channels.map(({ name, description, color }) => ({
    name: parseChannelName(name),
    description: parseChannelDescription(description),
    color,
  }));
  return [...new Map(parsed.map((channel) => [channel.name.toLowerCase(), channel])).values()];
}

/**
 * Subscribes users to channels that are parsed, and creates the channels that do not exist. The caller adds the events
 * of users whom guests may see from then on.
 *
 * @throws BAD_REQUEST UNAUTHORIZED_PRINCIPAL SYSTEM_GROUP_REQUIRED as subscribe
 */
export async function subscribeUsers(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  input: SubscribeInput,
): Promise<SubscribeResult> {
  model.permissions.assertMember(actor);
  const principals = await getPrincipals(tx, actor, input.principals);
  const isForOthers = principals.some(({ id }) => id !== actor.id);

  if (input.creates.isDefault) await lockDefaults(tx, actor.realm);
  const created = new Set<number>();
  for (const channel of sortedByName(input.channels)) {
    const { id, isNew } = await ensureChannel(tx, actor, rules, channel, input.creates);
    if (isNew) created.add(id);
  }
  const find = await lockChannels(
    tx,
    actor,
    input.channels.map(({ name }) => name),
  );
  const requests: JoinRequest[] = [];
  const unauthorized: string[] = [];
  for (const { name, color } of sortedByName(input.channels)) {
    const access = await find(name);
    const isNew = access !== undefined && created.has(access.channel.id);
    if (
      !access ||
      (!isNew && (access.channel.isArchived || !model.access.mayReadChannel(actor, access, rules)))
    ) {
      if (input.isStrict)
        throw new ApiError('BAD_REQUEST', `You do not have access to the channel '${name}'.`);
      unauthorized.push(name);
      continue;
    }
    if (isForOthers && !model.access.mayAddSubscribers(actor, access, rules)) {
      throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
    }
    // Names that Postgres alone takes for one may be two of the list.
    const isRepeated = requests.some(({ channel }) => channel.id === access.channel.id);
    if (!isRepeated) requests.push({ channel: access.channel, users: principals, color, isNew });
  }

  const { joins, ...result } = await join(tx, actor.realm, rules, requests);
  const newChannels = joins.filter(({ isNew }) => isNew).map(({ channel }) => channel);
  const messages = input.sendsMessages
    ? await subscriptionNotices(tx, actor, joins)
    : { isSent: false, events: [] };
  const creations: PendingEvent[] = [];
  for (const channel of newChannels) creations.push(...(await creationNotice(tx, actor, channel)));
  return {
    ...result,
    events: [
      ...result.events,
      ...(newChannels.some(({ isDefault }) => isDefault)
        ? [await model.defaultChannels.defaultChannelsEvent(tx, actor.realm)]
        : []),
      ...(input.isAnnounced ? await announcementNotices(tx, actor, rules, newChannels) : []),
      ...creations,
      ...messages.events,
    ],
    subscribed: namesByUser(principals, joins, ({ joined }) => joined),
    alreadySubscribed: namesByUser(principals, joins, ({ alreadySubscribed }) => alreadySubscribed),
    unauthorized,
    areMessagesSent: messages.isSent,
  };
}

/** Sorts by name, case aside, so that two callers create or lock the same channels in the same order. */
const sortedByName = <Named extends { name: string }>(channels: Named[]) =>
  [...channels].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));

async function ensureChannel(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  { name, description }: ChannelToJoin,
  creates: Partial<NewChannelSettings>,
): Promise<{ id: number; isNew: boolean }> {
  const find = () => model.access.findChannel(tx, actor, name);
  let access = await find();
  if (!access) {
    await lockName(tx, 'channel', actor.realm.id, name);
    access = await find();
  }
  if (access) return { id: access.channel.id, isNew: false };
  const settings = await resolveNewSettings(tx, actor, rules, creates);
  const { id } = await insertChannel(tx, actor, { name, description, ...settings });
  return { id, isNew: true };
}

const namesByUser = (users: UserRow[], joins: JoinResult[], pick: (join: JoinResult) => UserRow[]) =>
  new Map(
    users.flatMap(({ id }) => {
      const names = sortedByName(
        joins.filter((join) => pick(join).some((user) => user.id === id)).map(({ channel }) => channel),
      );
      return names.length > 0 ? [[id, names.map(({ name }) => name)]] : [];
    }),
  );
