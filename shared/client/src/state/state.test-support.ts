import type { AnyEvent } from './event.ts';
import { type Message, toMessage } from './message.ts';
import { type Registered, readState } from './read-state.ts';
import type { State } from './state.ts';

const ownId = 1;

/** A state of somebody in an organization of which nothing is known. */
export function emptyState(more: Partial<Registered> = {}): State {
  return readState({
    queue_id: 'q',
    last_event_id: 0,
    user_id: ownId,
    email: 'a@example.com',
    realm_users: [],
    realm_non_active_users: [],
    realm_user_groups: [],
    streams: [],
    subscriptions: [],
    unsubscribed: [],
    never_subscribed: [],
    max_message_id: null,
    user_status: {},
    unread_msgs: { pms: [], streams: [], huddles: [], mentions: [] },
    starred_messages: [],
    recent_private_conversations: [],
    drafts: [],
    saved_snippets: [],
    scheduled_messages: [],
    reminders: [],
    navigation_views: [],
    ...more,
  } as unknown as Registered);
}

interface Location {
  channel?: number;
  topic?: string;
  people?: number[];
}

/** A message as an event has it. */
export const sentMessage = (
  id: number,
  { channel, topic = 't', people = [] }: Location = { channel: 1 },
) => ({
  id,
  type: channel === undefined ? ('private' as const) : ('stream' as const),
  sender_id: 2,
  timestamp: 0,
  content: `<p>${id}</p>`,
  is_me_message: false,
  ...(channel !== undefined && { stream_id: channel }),
  subject: channel === undefined ? '' : topic,
  display_recipient: channel === undefined ? people.map((one) => ({ id: one })) : 'c',
  topic_links: [],
  reactions: [],
  submessages: [],
});

export const messageOf = (id: number, place?: Location, flags: string[] = []): Message =>
  toMessage(sentMessage(id, place), flags);

export const messageEvent = (id: number, place?: Location, flags: string[] = []): AnyEvent => ({
  id,
  type: 'message',
  message: sentMessage(id, place),
  flags,
});

/** The event of a move of messages to another topic, in channel 1. */
export const moveEvent = (ids: number[], subject: string, orig_subject = 't'): AnyEvent => ({
  id: 0,
  type: 'update_message',
  user_id: 2,
  rendering_only: false,
  message_id: ids[0],
  message_ids: ids,
  edit_timestamp: 5,
  stream_id: 1,
  orig_subject,
  subject,
  topic_links: [],
  propagate_mode: 'change_all',
  flags: [],
});
