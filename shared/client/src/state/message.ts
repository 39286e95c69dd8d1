import type { EditHistoryEntry, Reaction, Submessage } from '@parley/protocol';

/** A message as GET /messages answers with it, as far as a client reads it. */
export interface FetchedMessage {
  id: number;
  type: 'stream' | 'private';
  sender_id: number;
  timestamp: number;
  content: string;
  is_me_message: boolean;
  stream_id?: number;
  subject: string;
  display_recipient: string | { id: number }[];
  topic_links: { text: string; url: string }[];
  reactions: Reaction[];
  submessages: Submessage[];
  flags: string[];
  edit_history?: EditHistoryEntry[];
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
}

/**
 * A message of the state. It is never changed but replaced, so that equal
 * references mean equal messages.
 */
export interface Message {
  readonly id: number;
  readonly type: 'stream' | 'private';
  readonly sender_id: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** HTML. */
  readonly content: string;
  readonly is_me_message: boolean;
  /** Only of channel messages. */
  readonly stream_id?: number;
  /** The topic. */
  readonly subject: string;
  /** Everyone in a direct conversation, by id, ascending, with commas. Only of direct messages. */
  readonly people?: string;
  readonly topic_links: readonly { text: string; url: string }[];
  readonly reactions: readonly Reaction[];
  readonly submessages: readonly Submessage[];
  /** The reader's flags, in alphabetical order. */
  readonly flags: readonly string[];
  /** Edits and moves, newest first. */
  readonly edit_history?: readonly EditHistoryEntry[];
  readonly last_edit_timestamp?: number;
  readonly last_moved_timestamp?: number;
}

export type Messages = Map<number, Message>;

/** Few combinations of flags there are, and many messages: equal ones share one list. */
const flagLists = new Map<string, readonly string[]>();

export function flagList(flags: Iterable<string>): readonly string[] {
  const sorted = [...new Set(flags)].sort();
  const key = sorted.join(' ');
  const known = flagLists.get(key);
  if (known) return known;
  flagLists.set(key, sorted);
  return sorted;
}

const none: readonly never[] = [];
const orNone = <Item>(items: readonly Item[]): readonly Item[] => (items.length === 0 ? none : items);

/** Converts a message of a reply or event to one of the state, without what the state knows of its sender and place. */
export function toMessage(message: Omit<FetchedMessage, 'flags'>, flags: readonly string[]): Message {
  const { id, type, sender_id, timestamp, content, is_me_message, subject } = message;
  const { stream_id, edit_history, last_edit_timestamp, last_moved_timestamp, display_recipient } = message;
  return {
    id,
    type,
    sender_id,
    timestamp,
    content,
    is_me_message,
    subject,
    topic_links: orNone(message.topic_links),
    reactions: orNone(message.reactions),
    submessages: orNone(message.submessages),
    flags: flagList(flags),
    ...(stream_id !== undefined && { stream_id }),
    ...(typeof display_recipient !== 'string' && { people: peopleOf(display_recipient) }),
    ...(edit_history !== undefined && { edit_history }),
    ...(last_edit_timestamp !== undefined && { last_edit_timestamp }),
    ...(last_moved_timestamp !== undefined && { last_moved_timestamp }),
  };
}

const peopleOf = (recipients: { id: number }[]): string =>
  recipients
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join(',');
