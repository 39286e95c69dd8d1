import type { Channel } from '@parley/protocol';

import type { Changes } from './changes.ts';
import { type Reducers, get, setOwn } from './reducers.ts';
import type { ChannelWithSubscribers, State, Subscription } from './state.ts';

/** The slices of channels by whether the account is or was subscribed. */
const slices = ['subscriptions', 'unsubscribed', 'neverSubscribed'] as const;

/** The properties that decide who may read a channel. */
const accessProperties: ReadonlySet<string> = new Set([
  'invite_only',
  'can_add_subscribers_group',
  'can_subscribe_group',
]);

/** Channels, and who is in them. */
export const channels: Reducers = {
  'stream create'(state, { streams }, changes) {
    for (const channel of streams) {
      state.channels.set(channel.stream_id, channel);
      state.neverSubscribed.set(channel.stream_id, { ...channel, subscribers: new Set() });
      changes.questions.channels.add(channel.stream_id);
    }
    changes.slices.add('channels').add('neverSubscribed');
  },

  'stream update'(state, event, changes) {
    const { stream_id: id, name, property, value } = event;
    const { rendered_description, history_public_to_subscribers, is_web_public } = event;
    const all = { rendered_description, history_public_to_subscribers, is_web_public, [property]: value };
    const change = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    for (const channel of [get(state.channels, id), recordOf(state, id)]) {
      if (channel.name !== name) throw new Error(`${name} is what clients know as ${channel.name}`);
    }
    update(state, id, change, changes);
    if (accessProperties.has(property)) {
      changes.questions.channels.add(id);
      changes.access.add(id);
    }
    const muted = state.own.muted_topics;
    if (property !== 'name' || !muted) return;
    const named = muted.map((one) => (one[0] === name ? [value, one[1], one[2]] : one));
    setOwn(state, changes, { muted_topics: named });
  },

  'stream delete'(state, { stream_ids }, changes) {
    for (const id of stream_ids) {
      const { name } = get(state.channels, id);
      for (const slice of ['channels', ...slices] as const)
        if (state[slice].delete(id)) changes.slices.add(slice);
      for (const [key, topic] of state.topics) if (topic.stream_id === id) state.topics.delete(key);
      changes.slices.add('topics');
      changes.questions.channels.delete(id);
      changes.access.add(id);
      const muted = state.own.muted_topics;
      if (muted) setOwn(state, changes, { muted_topics: muted.filter(([channel]) => channel !== name) });
    }
  },

  'subscription add'(state, { subscriptions }, changes) {
    for (const sent of subscriptions) {
      const { subscribers, partial_subscribers: _, ...rest } = sent;
      const id = sent.stream_id;
      const { subscriber_count } = sent;
      state.channels.set(id, { ...get(state.channels, id), subscriber_count });
      state.neverSubscribed.delete(id);
      state.unsubscribed.delete(id);
      state.subscriptions.set(id, { ...rest, ...(subscribers && { subscribers: new Set(subscribers) }) });
      changes.questions.channels.add(id);
    }
    for (const slice of ['channels', ...slices] as const) changes.slices.add(slice);
  },

  'subscription remove'(state, { subscriptions }, changes) {
    for (const { stream_id: id, name } of subscriptions) {
      const record = get(state.subscriptions, id);
      if (record.name !== name) throw new Error(`${name} is what the client knows as ${record.name}`);
      state.subscriptions.delete(id);
      state.unsubscribed.set(id, record);
      changes.slices.add('subscriptions');
      changes.access.add(id);
      changeSubscribers(state, id, { removed: [state.own.user_id] }, changes);
    }
  },

  'subscription update'(state, { stream_id, property, value }, changes) {
    const slice = state.unsubscribed.has(stream_id) ? 'unsubscribed' : 'subscriptions';
    const subscription = get(state[slice], stream_id);
    state[slice].set(stream_id, { ...subscription, [property]: value });
    changes.slices.add(slice);
  },

  'subscription peer_add'(state, { stream_ids, user_ids }, changes) {
    for (const id of stream_ids) changeSubscribers(state, id, { added: user_ids }, changes);
  },

  'subscription peer_remove'(state, { stream_ids, user_ids }, changes) {
    for (const id of stream_ids) changeSubscribers(state, id, { removed: user_ids }, changes);
  },
};

/** Returns the slice that contains a channel. */
function sliceOf(state: State, id: number): (typeof slices)[number] {
  const slice = slices.find((name) => state[name].has(id));
  if (!slice) throw new Error(`An event is about channel ${id}, which the client does not know.`);
  return slice;
}

/** A channel with who is in it. */
const recordOf = (state: State, id: number): Subscription | ChannelWithSubscribers =>
  get<number, Subscription | ChannelWithSubscribers>(state[sliceOf(state, id)], id);

function update(state: State, id: number, change: Partial<Channel>, changes: Changes): void {
  const slice = sliceOf(state, id);
  state.channels.set(id, { ...get(state.channels, id), ...change });
  const records: Map<number, ChannelWithSubscribers> = state[slice];
  records.set(id, { ...get(records, id), ...change });
  changes.slices.add('channels').add(slice);
}

interface SubscriberChange {
  added?: readonly number[];
  removed?: readonly number[];
}

/** Changes the subscribers of a channel, or only their number where they are not listed. */
function changeSubscribers(
  state: State,
  id: number,
  { added = [], removed = [] }: SubscriberChange,
  changes: Changes,
): void {
  const { subscribers, subscriber_count: count } = recordOf(state, id);
  for (const userId of added) subscribers?.add(userId);
  for (const userId of removed) subscribers?.delete(userId);
  update(
    state,
    id,
    { subscriber_count: subscribers?.size ?? count + added.length - removed.length },
    changes,
  );
}
