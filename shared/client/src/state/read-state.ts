import type {
  Attachment,
  Channel,
  Draft,
  Invite,
  NavigationView,
  RealmExport,
  Reminder,
  SavedSnippet,
  ScheduledMessage,
  SlimPresence,
  Subscription,
  User,
  UserGroup,
  UserStatus,
} from '@parley/protocol';

import type { Messages } from './message.ts';
import { type Place, amongPeople, inTopic, topicKey } from './places.ts';
import type { Own, State, Unread, UserTopic } from './state.ts';
import { addUnread, noUnread } from './unread.ts';

/** The sent form of a channel of which the server may list the subscribers. */
type Listed<One> = One & { subscribers?: number[]; partial_subscribers?: number[] };

/** What POST /register answers, as far as it is not read into `own` as it stands. */
export interface Registered extends Own {
  queue_id: string | null;
  last_event_id: number;
  realm_users: User[];
  realm_non_active_users: User[];
  realm_user_groups: UserGroup[];
  streams: Channel[];
  subscriptions: Subscription[];
  unsubscribed: Subscription[];
  never_subscribed: Listed<Channel>[];
  max_message_id: number | null;
  user_topics?: UserTopic[];
  user_status: Record<string, UserStatus>;
  unread_msgs: {
    pms: { other_user_id: number; unread_message_ids: number[] }[];
    streams: { stream_id: number; topic: string; unread_message_ids: number[] }[];
    huddles: { user_ids_string: string; unread_message_ids: number[] }[];
    mentions: number[];
  };
  starred_messages: number[];
  recent_private_conversations: { user_ids: number[]; max_message_id: number }[];
  presences?: Record<string, SlimPresence>;
  drafts: Draft[];
  saved_snippets: SavedSnippet[];
  scheduled_messages: ScheduledMessage[];
  reminders: Reminder[];
  navigation_views: NavigationView[];
}

/** Lists that are no parts of POST /register, where they have been asked for. */
export interface Lists {
  messages?: Messages;
  attachments?: Attachment[];
  invites?: Invite[];
  exports?: RealmExport[];
  consents?: Set<number>;
}

/** The state that a registration begins with. */
export function readState(registered: Registered, lists: Lists = {}): State {
  const {
    queue_id: _queue,
    last_event_id: _event,
    realm_users,
    realm_non_active_users,
    realm_user_groups,
    streams,
    subscriptions,
    unsubscribed,
    never_subscribed,
    max_message_id,
    user_topics,
    muted_topics,
    user_status,
    unread_msgs,
    starred_messages,
    recent_private_conversations,
    presences = {},
    drafts,
    saved_snippets,
    scheduled_messages,
    reminders,
    navigation_views,
    ...own
  } = registered;
  const { messages = new Map(), attachments, invites = null, exports = null, consents = null } = lists;
  return {
    users: byKey(realm_users.map(knownUser), ({ user_id }) => user_id),
    nonActiveUsers: byKey(realm_non_active_users, ({ user_id }) => user_id),
    groups: byKey(
      realm_user_groups.map(({ members, direct_subgroup_ids, ...group }) => ({
        ...group,
        members: new Set(members),
        direct_subgroup_ids: new Set(direct_subgroup_ids),
      })),
      ({ id }) => id,
    ),
    channels: byKey(streams, ({ stream_id }) => stream_id),
    subscriptions: byKey(subscriptions.map(withSubscribers), ({ stream_id }) => stream_id),
    unsubscribed: byKey(unsubscribed.map(withSubscribers), ({ stream_id }) => stream_id),
    neverSubscribed: byKey(never_subscribed.map(withSubscribers), ({ stream_id }) => stream_id),
    maxMessageId: max_message_id,
    unread: readUnread(unread_msgs, own.user_id),
    mentions: new Set(unread_msgs.mentions),
    starred: new Set(starred_messages),
    conversations: new Map(
      recent_private_conversations.map(({ user_ids, max_message_id }) => [
        amongPeople(user_ids),
        max_message_id,
      ]),
    ),
    topics: byKey(user_topics ?? [], ({ stream_id, topic_name }) => topicKey(stream_id, topic_name)),
    uploads: attachments ? byKey(attachments, ({ id }) => id) : null,
    invites,
    exports,
    consents,
    statuses: byId(user_status),
    presences: byId(presences),
    typing: new Map(),
    editing: new Map(),
    drafts: byKey(drafts, ({ id }) => id),
    snippets: byKey(saved_snippets, ({ id }) => id),
    scheduled: byKey(scheduled_messages, ({ scheduled_message_id: id }) => id),
    reminders: byKey(reminders, ({ reminder_id }) => reminder_id),
    views: byKey(navigation_views, ({ fragment }) => fragment),
    messages,
    // Whoever hears of topics one by one needs no list beside it.
    own: user_topics || !muted_topics ? own : { ...own, muted_topics },
  };
}

const byKey = <Key, Item>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item> =>
  new Map(items.map((item) => [keyOf(item), item]));

const byId = <Item>(items: Record<string, Item>): Map<number, Item> =>
  new Map(Object.entries(items).map(([id, item]) => [Number(id), item]));

/** A list of only some subscribers is not kept: who else is in the channel would not be known. */
function withSubscribers<One extends object>(sent: Listed<One>) {
  const { subscribers, partial_subscribers: _, ...rest } = sent;
  return { ...rest, ...(subscribers && { subscribers: new Set(subscribers) }) };
}

/** Which list somebody is in says whether the account is in use. */
function knownUser(sent: User): User {
  const { is_active: _, ...user } = sent;
  return user;
}

function readUnread({ pms, streams, huddles }: Registered['unread_msgs'], ownId: number): Unread {
  const unread = noUnread();
  const add = (place: Place, ids: number[], topic?: string) => {
    for (const id of ids) addUnread(unread, id, place, topic);
  };
  const others = (ids: number[]) => amongPeople(ids.filter((id) => id !== ownId));
  for (const { other_user_id, unread_message_ids } of pms) add(others([other_user_id]), unread_message_ids);
  for (const { user_ids_string, unread_message_ids } of huddles) {
    add(others(user_ids_string.split(',').map(Number)), unread_message_ids);
  }
  for (const { stream_id, topic, unread_message_ids } of streams) {
    add(inTopic(stream_id, topic), unread_message_ids, topic);
  }
  return unread;
}
