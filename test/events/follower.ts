import { isDeepStrictEqual } from 'node:util';

import { ephemeralEvents } from '@parley/protocol';

import type { Event, Json, Listener, Person } from '../support/index.ts';
import {
  type Messages,
  type Questions,
  askFor,
  fetchMessages,
  fetcher,
  messageReducers,
} from './messages.ts';

/** The parts of the state that events keep up to date. */
const sections = [
  'realm',
  'realm_user',
  'realm_user_groups',
  'stream',
  'subscription',
  'default_streams',
  'default_stream_groups',
  'channel_folders',
  'message',
  'user_status',
  'user_settings',
  'update_display_settings',
  'update_global_notifications',
  'realm_user_settings_defaults',
  'alert_words',
  'realm_bot',
  'muted_users',
  'custom_profile_fields',
  'realm_emoji',
  'update_message_flags',
  'starred_messages',
  'recent_private_conversations',
];
/** Two ways to know the same. */
const sectionsOf = { modern: [...sections, 'user_topic'], oldest: [...sections, 'muted_topics'] };

/** They may be lost, so nothing of the state that is compared here hangs on them. */
const ephemeralTypes = new Set<string>(Object.values(ephemeralEvents).map(({ type }) => type));

/** What a client may be able to read: a new one, and the oldest there is. */
export const clients = {
  modern: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_settings_object: true,
    linkifier_url_template: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
  },
  oldest: undefined,
} as const;
export type ClientKind = keyof typeof clients;

type ById = Record<number, Json>;

interface State {
  users: ById;
  nonActiveUsers: ById;
  groups: ById;
  channels: ById;
  subscriptions: ById;
  unsubscribed: ById;
  neverSubscribed: ById;
  /** Null after the newest was deleted: which it is then, only the server knows. */
  maxMessageId: number | null;
  /** Where each unread message is. */
  unread: Record<number, string>;
  mentions: number[];
  starred: number[];
  /** Newest message of each direct conversation, by the others in it. */
  conversations: Record<string, number>;
  /** Topics that the user treats otherwise than their channels. */
  topics: Record<string, Json>;
  /** The user's uploads, as GET /attachments lists them. */
  uploads: ById;
  /** What users say about themselves. */
  statuses: ById;
  messages: Messages;
  /** What the client knows of its own account. */
  own: Json;
}

/** A client that keeps what it was given at registration true by applying events, as real ones do. */
export interface Follower {
  state: State;
  /** Applies all events that have come; returns them. */
  catchUp(): Promise<Event[]>;
}

export async function follow(person: Person, kind: ClientKind): Promise<Follower> {
  const listener: Listener = await person.listen({
    fetch_event_types: sectionsOf[kind],
    include_subscribers: 'true',
    client_gravatar: false,
    client_capabilities: clients[kind],
  });
  const fetch = fetcher(person, clients[kind]?.empty_topic_name ?? false);
  const questions: Questions = { messages: new Set(), channels: new Set() };
  const follower = {
    state: understood(
      readState(listener.registered, await fetchMessages(fetch), await person.get('/attachments')),
    ),
    async catchUp() {
      const events = (await listener.hears()).filter(({ type }) => !ephemeralTypes.has(type));
      for (const event of events) apply(follower.state, event, questions);
      for (const message of await askFor(follower.state.messages, questions, fetch)) {
        learn(follower.state, message);
      }
      understood(follower.state);
      return events;
    },
  };
  return follower;
}

/**
 * The kinds of events without which a client would end elsewhere: each left out in turn. One that nobody would miss is
 * not needed, or not looked at.
 */
export function missedKinds(before: State, events: Event[]): Set<string> {
  const play = (heard: Event[]): State | null => {
    const state = structuredClone(before);
    try {
      for (const event of heard) apply(state, event, { messages: new Set(), channels: new Set() });
      return understood(state);
    } catch {
      // What comes later speaks of things that the client was never told of.
      return null;
    }
  };
  const whole = play(events);
  const kinds = [...new Set(events.map(kindOf))];
  return new Set(
    kinds.filter((kind) => !isDeepStrictEqual(play(events.filter((event) => kindOf(event) !== kind)), whole)),
  );
}

/** What a message that was asked for says of itself. */
function learn(state: State, { id, flags, stream_id, subject }: Json): void {
  if (flags.includes('starred')) state.starred = union(state.starred, [id]);
  if (flags.includes('read') || stream_id === undefined) return;
  state.unread[id] = inTopic(stream_id, subject);
  if (mentionFlags.some((flag) => flags.includes(flag))) state.mentions = union(state.mentions, [id]);
}

const byId = (records: Json[], id: string): ById => Object.fromEntries(records.map((one) => [one[id], one]));

function readState(registered: Json, messages: Messages, { attachments }: Json): State {
  const {
    realm_users,
    realm_non_active_users,
    realm_user_groups,
    max_message_id,
    user_topics = [],
    user_status,
    unread_msgs,
    starred_messages,
    recent_private_conversations,
    ...rest
  } = registered;
  const {
    streams,
    subscriptions,
    unsubscribed,
    never_subscribed,
    queue_id: _,
    last_event_id: __,
    ...own
  } = rest;
  return {
    users: byId(realm_users, 'user_id'),
    nonActiveUsers: byId(realm_non_active_users, 'user_id'),
    groups: byId(realm_user_groups, 'id'),
    channels: byId(streams, 'stream_id'),
    subscriptions: byId(subscriptions, 'stream_id'),
    unsubscribed: byId(unsubscribed, 'stream_id'),
    neverSubscribed: byId(never_subscribed, 'stream_id'),
    statuses: user_status,
    maxMessageId: max_message_id,
    uploads: byId(attachments, 'id'),
    unread: readUnread(unread_msgs),
    mentions: unread_msgs.mentions,
    starred: starred_messages,
    conversations: Object.fromEntries(
      recent_private_conversations.map((one: Json) => [ofPeople(one.user_ids), one.max_message_id]),
    ),
    topics: Object.fromEntries(user_topics.map((one: Json) => [topicKey(one), one])),
    messages,
    own,
  };
}

const topicKey = ({ stream_id, topic_name }: Json) => `${stream_id} ${topic_name.toLowerCase()}`;

/** What may be created is told once, and follows from permissions and groups from then on. */
const permissionOf: Record<string, string> = {
  can_create_public_streams: 'realm_can_create_public_channel_group',
  can_create_private_streams: 'realm_can_create_private_channel_group',
  can_create_web_public_streams: 'realm_can_create_web_public_channel_group',
  can_invite_others_to_realm: 'realm_can_invite_users_group',
};

/** Numbers that older clients read instead of groups. */
const policyOf: Record<string, { permission: string; numbers: Record<string, number>; otherwise: number }> = {
  realm_create_private_stream_policy: {
    permission: 'realm_can_create_private_channel_group',
    numbers: { members: 1, administrators: 2, fullmembers: 3, moderators: 4 },
    otherwise: 1,
  },
  realm_create_public_stream_policy: {
    permission: 'realm_can_create_public_channel_group',
    numbers: { members: 1, administrators: 2, fullmembers: 3, moderators: 4 },
    otherwise: 1,
  },
  realm_create_web_public_stream_policy: {
    permission: 'realm_can_create_web_public_channel_group',
    numbers: { owners: 7, administrators: 2, moderators: 4, nobody: 6 },
    otherwise: 7,
  },
  realm_wildcard_mention_policy: {
    permission: 'realm_can_mention_many_users_group',
    numbers: { administrators: 5, everyone: 1, members: 2, fullmembers: 3, nobody: 6, moderators: 7 },
    otherwise: 5,
  },
};

function understood(state: State): State {
  const { own } = state;
  for (const [field, { permission, numbers, otherwise }] of Object.entries(policyOf)) {
    const name = state.groups[own[permission]]?.name.replace('role:', '');
    own[field] = numbers[name] ?? otherwise;
  }
  for (const [field, permission] of Object.entries(permissionOf)) {
    own[field] = isIncluded(state, own[permission], own.user_id);
  }
  own.can_create_streams =
    own.can_create_public_streams || own.can_create_private_streams || own.can_create_web_public_streams;
  for (const [id, { stream_id }] of Object.entries(state.messages)) {
    if (stream_id !== undefined && !isReadable(state, stream_id)) delete state.messages[Number(id)];
  }
  return state;
}

/** Of a channel that one may not look into any more, the client shows nothing. */
function isReadable({ channels, subscriptions, users, own }: State, id: number): boolean {
  if (subscriptions[id]) return true;
  const channel = channels[id];
  if (!channel) return false;
  return channel.is_web_public || (!channel.invite_only && !get(users, own.user_id).is_guest);
}

/** A fresh state as far as one who followed can know it. */
export const asFollowed = (fresh: State, { maxMessageId }: State): State =>
  maxMessageId === null ? { ...fresh, maxMessageId } : fresh;

function isIncluded(state: State, setting: Json, userId: number): boolean {
  if (typeof setting === 'number') {
    const { members, direct_subgroup_ids } = get(state.groups, setting);
    return isIncluded(state, { direct_members: members, direct_subgroups: direct_subgroup_ids }, userId);
  }
  return (
    setting.direct_members.includes(userId) ||
    setting.direct_subgroups.some((id: number) => isIncluded(state, id, userId))
  );
}

const inTopic = (channel: number, topic: string) => `channel ${channel}, ${topic.toLowerCase()}`;
const ofPeople = (others: number[]) => `people ${[...others].sort((a, b) => a - b).join(' ')}`;

function readUnread({ pms, streams, huddles }: Json): Record<number, string> {
  const places: [string, number[]][] = [
    ...pms.map((one: Json) => [ofPeople([one.other_user_id]), one.unread_message_ids]),
    ...huddles.map((one: Json) => [`all of ${one.user_ids_string}`, one.unread_message_ids]),
    ...streams.map((one: Json) => [inTopic(one.stream_id, one.topic), one.unread_message_ids]),
  ];
  return Object.fromEntries(places.flatMap(([place, ids]) => ids.map((id) => [id, place])));
}

/** Where a message is, as `unread_msgs` says it. */
function placeOf(state: State, { type, stream_id, topic, others }: Json): string {
  if (type === 'stream') return inTopic(stream_id, topic);
  const me = state.own.user_id;
  if (others.length > 1) return `all of ${[...others, me].sort((a: number, b: number) => a - b).join(',')}`;
  return ofPeople(others.length === 0 ? [me] : others);
}

const othersIn = (state: State, people: string): number[] =>
  people
    .split(',')
    .map(Number)
    .filter((id) => id !== state.own.user_id);

const mentionFlags = ['mentioned', 'wildcard_mentioned'];

type Apply = (state: State, event: Event) => void;

/** Each event does one thing to what the client knows. What it does not know is a mistake of the server's. */
const reducers: Record<string, Apply> = {
  'realm_user add'(state, { person: { is_active, ...user } }) {
    (is_active ? state.users : state.nonActiveUsers)[user.user_id] = user;
  },

  'realm_user update'(state, { person: { user_id, ...change } }) {
    const user = get({ ...state.nonActiveUsers, ...state.users }, user_id);
    if ('new_email' in change) user.email = change.new_email;
    else if ('avatar_version' in change) {
      Object.assign(user, { avatar_url: change.avatar_url, avatar_version: change.avatar_version });
    } else if ('custom_profile_field' in change) {
      const { id, ...value } = change.custom_profile_field;
      if (value.value === null) delete user.profile_data[id];
      else user.profile_data[id] = value;
    } else if ('is_active' in change) {
      const [from, to] = change.is_active
        ? [state.nonActiveUsers, state.users]
        : [state.users, state.nonActiveUsers];
      delete from[user_id];
      to[user_id] = user;
      if (change.is_active) return;
      for (const group of Object.values(state.groups)) {
        group.members = group.members.filter((id: number) => id !== user_id);
      }
    } else Object.assign(user, change);
    if ('role' in change) {
      const { role } = change;
      Object.assign(user, { is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 });
    }
    if (user_id !== state.own.user_id) return;
    for (const field of [
      'email',
      'delivery_email',
      'full_name',
      'avatar_url',
      'is_owner',
      'is_admin',
      'is_guest',
    ])
      state.own[field] = user[field];
    state.own.is_moderator = user.role <= 300;
    if ('avatar_version' in change) {
      const { avatar_source, avatar_url_medium } = change;
      Object.assign(state.own, { avatar_source, avatar_url_medium });
    }
  },

  'realm_emoji update'({ own }, { realm_emoji }) {
    own.realm_emoji = realm_emoji;
  },

  'user_settings update'({ own }, { property, value, language_name }) {
    own.user_settings[property] = value;
    if ((language_name !== undefined) !== (property === 'default_language')) throw new Error('language_name');
  },

  update_display_settings({ own }, { user, setting_name, setting }) {
    if (user !== own.email) throw new Error(`A setting of ${user} is told to ${own.email}.`);
    own[setting_name] = setting;
  },

  update_global_notifications({ own }, { user, notification_name, setting }) {
    if (user !== own.email) throw new Error(`A setting of ${user} is told to ${own.email}.`);
    own[notification_name] = setting;
  },

  'realm update'({ own }, { property, value }) {
    own[`realm_${property}`] = value;
    if (property === 'jitsi_server_url') own.jitsi_server_url = value;
  },

  'realm update_dict'({ own }, { data }) {
    for (const [property, value] of Object.entries(data)) own[`realm_${property}`] = value;
  },

  'realm_bot add'({ own }, { bot }) {
    own.realm_bots = [...own.realm_bots.filter(({ user_id }: Json) => user_id !== bot.user_id), bot].sort(
      (a, b) => a.user_id - b.user_id,
    );
  },

  'realm_bot update'({ own }, { bot }) {
    const known = own.realm_bots.find(({ user_id }: Json) => user_id === bot.user_id);
    if (!known) throw new Error(`The client was never told of bot ${bot.user_id}.`);
    Object.assign(known, bot);
  },

  'realm_bot delete'({ own }, { bot }) {
    own.realm_bots = own.realm_bots.filter(({ user_id }: Json) => user_id !== bot.user_id);
  },

  alert_words({ own }, { alert_words }) {
    own.alert_words = alert_words;
  },

  custom_profile_fields({ own, users, nonActiveUsers }, { fields }) {
    own.custom_profile_fields = fields;
    const known = new Set(fields.map(({ id }: Json) => String(id)));
    for (const user of [...Object.values(users), ...Object.values(nonActiveUsers)]) {
      // With a field goes what was said in it.
      for (const id of Object.keys(user.profile_data ?? {})) if (!known.has(id)) delete user.profile_data[id];
    }
  },

  muted_users({ own }, { muted_users }) {
    own.muted_users = muted_users;
  },

  'realm_user_settings_defaults update'({ own }, { property, value }) {
    own.realm_user_settings_defaults[property] = value;
  },

  user_status(state, { user_id, id: _id, type: _type, ...change }) {
    const status = Object.entries({ ...state.statuses[user_id], ...change }).filter(([, value]) => value);
    if (status.length > 0) state.statuses[user_id] = Object.fromEntries(status);
    else delete state.statuses[user_id];
  },

  'user_group add_members'(state, { group_id, user_ids }) {
    const group = get(state.groups, group_id);
    group.members = union(group.members, user_ids);
  },

  'user_group remove_members'(state, { group_id, user_ids }) {
    const group = get(state.groups, group_id);
    group.members = group.members.filter((id: number) => !user_ids.includes(id));
  },

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
      for (const known of [channels, subscriptions, unsubscribed, neverSubscribed]) delete known[id];
      // What one may not look into any more is not unread either.
      for (const [message, place] of Object.entries(state.unread)) {
        if (!place.startsWith(`channel ${id},`)) continue;
        delete state.unread[Number(message)];
        state.mentions = state.mentions.filter((one) => one !== Number(message));
      }
      const kept = Object.entries(state.topics).filter(([, topic]) => topic.stream_id !== id);
      state.topics = Object.fromEntries(kept);
      const muted = state.own.muted_topics;
      if (muted) state.own.muted_topics = muted.filter(([channel]: [string]) => channel !== name);
    }
  },

  default_streams({ own }, { default_streams }) {
    own.realm_default_streams = default_streams;
  },

  default_stream_groups({ own }, { default_stream_groups }) {
    own.realm_default_stream_groups = default_stream_groups;
  },

  'channel_folder add'({ own }, { channel_folder }) {
    own.channel_folders.push(channel_folder);
  },

  'channel_folder update'({ own }, { channel_folder_id, data }) {
    Object.assign(
      own.channel_folders.find(({ id }: Json) => id === channel_folder_id),
      data,
    );
  },

  'channel_folder reorder'({ own }, { order }) {
    own.channel_folders = order.map((id: number, position: number) => ({
      ...own.channel_folders.find((folder: Json) => folder.id === id),
      order: position,
    }));
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

  'attachment add'(state, { attachment }) {
    state.uploads[attachment.id] = attachment;
  },

  'attachment update'(state, { attachment }) {
    get(state.uploads, attachment.id);
    state.uploads[attachment.id] = attachment;
  },

  'attachment remove'(state, { attachment: { id } }) {
    get(state.uploads, id);
    delete state.uploads[id];
  },

  muted_topics(state, { muted_topics }) {
    if (state.own.muted_topics) state.own.muted_topics = muted_topics;
  },

  user_topic(state, { stream_id, topic_name, last_updated, visibility_policy }) {
    if (state.own.muted_topics) return;
    const topic = { stream_id, topic_name, last_updated, visibility_policy };
    if (topic['visibility_policy'] === 0) delete state.topics[topicKey(topic)];
    else state.topics[topicKey(topic)] = topic;
  },

  message(state, { message, flags }) {
    if (state.maxMessageId !== null) state.maxMessageId = Math.max(state.maxMessageId, message.id);
    const recipients = message.type === 'private' ? message.display_recipient : [];
    const others = recipients.map(({ id }: Json) => id).filter((id: number) => id !== state.own.user_id);
    if (message.type === 'private') state.conversations[ofPeople(others)] = message.id;
    if (flags.includes('read')) return;
    state.unread[message.id] = placeOf(state, { ...message, topic: message.subject, others });
    if (mentionFlags.some((flag) => flags.includes(flag)))
      state.mentions = union(state.mentions, [message.id]);
  },

  update_message(state, { message_id, message_ids, propagate_mode, flags, ...event }) {
    if (propagate_mode !== undefined) {
      const { stream_id, new_stream_id = stream_id, orig_subject, subject = orig_subject } = event as Json;
      for (const id of message_ids) if (state.unread[id]) state.unread[id] = inTopic(new_stream_id, subject);
    }
    if (!state.unread[message_id]) return;
    const isMentioned = mentionFlags.some((flag) => flags.includes(flag));
    const others = state.mentions.filter((id) => id !== message_id);
    state.mentions = isMentioned ? union(others, [message_id]) : others;
  },

  delete_message(state, { message_ids, message_id }) {
    const gone: number[] = message_ids ?? [message_id];
    if (state.maxMessageId !== null && gone.includes(state.maxMessageId)) state.maxMessageId = null;
    for (const id of gone) delete state.unread[id];
    state.mentions = state.mentions.filter((id) => !gone.includes(id));
    state.starred = state.starred.filter((id) => !gone.includes(id));
    const people = new Set(gone.flatMap((id) => state.messages[id]?.people ?? []));
    for (const ids of people) {
      const left = Object.values(state.messages).filter(
        (one) => one.people === ids && !gone.includes(one.id),
      );
      const key = ofPeople(othersIn(state, ids));
      if (left.length === 0) delete state.conversations[key];
      else state.conversations[key] = Math.max(...left.map(({ id }) => id));
    }
  },

  'update_message_flags add'(state, { flag, messages, all }) {
    if (flag === 'starred') state.starred = union(state.starred, messages);
    if (flag !== 'read') return;
    const read = new Set(all ? Object.keys(state.unread).map(Number) : messages);
    for (const id of read) delete state.unread[id as number];
    state.mentions = state.mentions.filter((id) => !read.has(id));
  },

  'update_message_flags remove'(state, { flag, messages, message_details }) {
    if (flag === 'starred') state.starred = state.starred.filter((id) => !messages.includes(id));
    if (flag !== 'read') return;
    for (const id of messages) {
      const one = message_details[id];
      state.unread[id] = placeOf(state, { ...one, others: one.user_ids });
      if (one.mentioned) state.mentions = union(state.mentions, [id]);
    }
  },
};

function remove(state: State, id: number, userIds: number[]): void {
  const record = recordOf(state, id);
  record.subscribers = record.subscribers.filter((userId: number) => !userIds.includes(userId));
  record.subscriber_count = record.subscribers.length;
  get(state.channels, id).subscriber_count = record.subscribers.length;
}

/** The type of an event, with its op. */
export const kindOf = ({ type, op }: Event): string => (op === undefined ? type : `${type} ${op}`);

function apply(state: State, event: Event, questions: Questions): void {
  const [reduce, reduceMessages] = [reducers[kindOf(event)], messageReducers[kindOf(event)]];
  if (!reduce && !reduceMessages) {
    throw new Error(`A client would not know what to do with ${JSON.stringify(event)}`);
  }
  reduce?.(state, structuredClone(event));
  reduceMessages?.(state.messages, structuredClone(event), questions);
}

function get(records: ById, id: number): Json {
  const found = records[id];
  if (found === undefined) throw new Error(`An event is about ${id}, which the client was never told of.`);
  return found;
}

const recordOf = ({ subscriptions, unsubscribed, neverSubscribed }: State, id: number): Json =>
  get({ ...neverSubscribed, ...unsubscribed, ...subscriptions }, id);

const union = (ids: number[], more: number[]): number[] =>
  [...new Set([...ids, ...more])].sort((a, b) => a - b);
