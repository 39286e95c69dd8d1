import type { Json } from '../../support/index.ts';
import type { Messages } from './messages.ts';
import { inTopic, ofPeople, topicKey } from './places.ts';
import type { ById, State } from './state.ts';

/** What the lists told that are not among the parts of the initial state. */
export interface Listed extends Pick<State, 'exports' | 'consents'> {
  attachments: Json;
  invites: Json[];
}

/** What POST /register and GET /messages told, and the lists. */
export function readState(
  registered: Json,
  messages: Messages,
  { attachments, invites, exports, consents }: Listed,
): State {
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
    drafts,
    saved_snippets,
    scheduled_messages,
    reminders,
    navigation_views,
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
    users: byId(realm_users.map(knownUser), 'user_id'),
    nonActiveUsers: byId(realm_non_active_users, 'user_id'),
    groups: byId(realm_user_groups, 'id'),
    channels: byId(streams, 'stream_id'),
    subscriptions: byId(subscriptions, 'stream_id'),
    unsubscribed: byId(unsubscribed, 'stream_id'),
    neverSubscribed: byId(never_subscribed, 'stream_id'),
    statuses: user_status,
    drafts: byId(drafts, 'id'),
    snippets: byId(saved_snippets, 'id'),
    scheduled: byId(scheduled_messages, 'scheduled_message_id'),
    reminders: byId(reminders, 'reminder_id'),
    views: byId(navigation_views, 'fragment'),
    maxMessageId: max_message_id,
    uploads: byId(attachments, 'id'),
    invites,
    exports,
    consents,
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

const byId = (records: Json[], id: string): ById => Object.fromEntries(records.map((one) => [one[id], one]));

function readUnread({ pms, streams, huddles }: Json): Record<number, string> {
  const places: [string, number[]][] = [
    ...pms.map((one: Json) => [ofPeople([one.other_user_id]), one.unread_message_ids]),
    ...huddles.map((one: Json) => [`all of ${one.user_ids_string}`, one.unread_message_ids]),
    ...streams.map((one: Json) => [inTopic(one.stream_id, one.topic), one.unread_message_ids]),
  ];
  return Object.fromEntries(places.flatMap(([place, ids]) => ids.map((id) => [id, place])));
}

/** Which list somebody is in says whether the account is in use. */
function knownUser(user: Json): Json {
  const { is_active: _, ...account } = user;
  return account;
}
