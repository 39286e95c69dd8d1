import { type Reducers, type State, get, recordOf, union } from './state.ts';

/** Channels, and who is in them. */
export const channels: Reducers = {
  'stream create'(state, { streams }) {
    for (const channel of streams) {
      state.channels[channel.stream_id] = channel;
      state.neverSubscribed[channel.stream_id] = { ...channel, subscribers: [] };
    }
  },

  'stream update'(state, { stream_id, name, property, value, ...more }) {
    const { rendered_description, history_public_to_subscribers, is_web_public } = more;
    const extra = { rendered_description, history_public_to_subscribers, is_web_public };
    for (const channel of [get(state.channels, stream_id), recordOf(state, stream_id)]) {
      if (channel.name !== name) throw new Error(`${name} is what clients know as ${channel.name}`);
      channel[property] = value;
      for (const [key, one] of Object.entries(extra)) if (one !== undefined) channel[key] = one;
    }
    if (property !== 'name') return;
    for (const muted of state.own.muted_topics ?? []) if (muted[0] === name) muted[0] = value;
  },

  'stream delete'(state, { stream_ids }) {
    for (const id of stream_ids) {
      const { name } = get(state.channels, id);
      const { channels, subscriptions, unsubscribed, neverSubscribed } = state;
      for (const records of [channels, subscriptions, unsubscribed, neverSubscribed]) delete records[id];
      const kept = Object.entries(state.topics).filter(([, topic]) => topic.stream_id !== id);
      state.topics = Object.fromEntries(kept);
      const muted = state.own.muted_topics;
      if (muted) state.own.muted_topics = muted.filter(([channel]: [string]) => channel !== name);
    }
  },

  'subscription add'(state, { subscriptions }) {
    for (const subscription of subscriptions) {
      const id = subscription.stream_id;
      get(state.channels, id).subscriber_count = subscription.subscriber_count;
      delete state.neverSubscribed[id];
      delete state.unsubscribed[id];
      state.subscriptions[id] = subscription;
    }
  },

  'subscription remove'(state, { subscriptions }) {
    for (const { stream_id: id, name } of subscriptions) {
      const record = get(state.subscriptions, id);
      if (record.name !== name) throw new Error(`${name} is what the client knows as ${record.name}`);
      delete state.subscriptions[id];
      state.unsubscribed[id] = record;
      remove(state, id, [state.own.user_id]);
    }
  },

  'subscription update'(state, { stream_id, property, value }) {
    get(state.subscriptions, stream_id)[property] = value;
  },

  'subscription peer_remove'(state, { stream_ids, user_ids }) {
    for (const id of stream_ids) remove(state, id, user_ids);
  },

  'subscription peer_add'(state, { stream_ids, user_ids }) {
    for (const id of stream_ids) {
      const record = recordOf(state, id);
      record.subscribers = union(record.subscribers, user_ids);
      record.subscriber_count = record.subscribers.length;
      get(state.channels, id).subscriber_count = record.subscribers.length;
    }
  },
};

function remove(state: State, id: number, userIds: number[]): void {
  const record = recordOf(state, id);
  record.subscribers = record.subscribers.filter((userId: number) => !userIds.includes(userId));
  record.subscriber_count = record.subscribers.length;
  get(state.channels, id).subscriber_count = record.subscribers.length;
}
