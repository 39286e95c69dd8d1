import { type Message, type Place, peopleOf, placeOf, topicOf } from '@parley/client';

/** A topic or direct conversation, by what is known of its last messages. */
export interface Conversation {
  place: Place;
  /** As it is written; empty in direct conversations, and of the topic without a name. */
  topic: string;
  /** Null of direct conversations. */
  channelId: number | null;
  newest: number;
  /** Seconds since the epoch; null where the newest message is not loaded. */
  timestamp: number | null;
  /** Who wrote last, latest first. */
  participants: number[];
}

/** A conversation as it is listed. */
export interface Row extends Conversation {
  name: string;
  /** The fragment of its messages. */
  href: string;
  /** How many messages are unread in it. */
  unread: number;
}

/** The conversations of some messages, the one that was written in last first. */
export function conversationsOf(
  messages: readonly Message[],
  direct: ReadonlyMap<Place, number>,
  ownId: number,
): Conversation[] {
  const conversations = new Map<Place, Conversation>();
  const newestFirst = [...messages].sort((a, b) => b.id - a.id);
  for (const message of newestFirst) {
    const place = placeOf(message, ownId);
    const known = conversations.get(place);
    if (known) {
      if (!known.participants.includes(message.sender_id)) known.participants.push(message.sender_id);
      continue;
    }
    conversations.set(place, {
      place,
      topic: message.subject,
      channelId: message.stream_id ?? null,
      newest: message.id,
      timestamp: message.timestamp,
      participants: [message.sender_id],
    });
  }
  // Direct conversations are known even where their messages are older than what is loaded.
  for (const [place, newest] of direct) {
    if (conversations.has(place)) continue;
    const participants = peopleOf(place) ?? [];
    conversations.set(place, { place, topic: '', channelId: null, newest, timestamp: null, participants });
  }
  return [...conversations.values()].sort((a, b) => b.newest - a.newest);
}

export interface Filters {
  kind: 'all' | 'topics' | 'direct';
  isUnread: boolean;
  isOwn: boolean;
  withMuted: boolean;
  text: string;
}

interface Facts {
  ownId: number;
  unreadAt(place: Place): number;
  isMuted(place: Place): boolean;
  nameOf(conversation: Conversation): string;
}

/** Returns whether a conversation is among those that somebody wants to see. */
export function isShown(conversation: Conversation, filters: Filters, facts: Facts): boolean {
  const { place, participants } = conversation;
  const isDirect = topicOf(place) === null;
  if (filters.kind !== 'all' && (filters.kind === 'direct') !== isDirect) return false;
  if (filters.isUnread && facts.unreadAt(place) === 0) return false;
  if (filters.isOwn && !isDirect && !participants.includes(facts.ownId)) return false;
  if (!filters.withMuted && facts.isMuted(place)) return false;
  const text = filters.text.trim().toLowerCase();
  return text === '' || facts.nameOf(conversation).toLowerCase().includes(text);
}
