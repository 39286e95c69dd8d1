/**
 * Where messages are, as a key: a topic of a channel, in whatever case it is written, or the others in a direct
 * conversation: nobody, in one with oneself alone.
 */
export type Place = string;

export const inTopic = (channelId: number, topic: string): Place =>
  `channel ${channelId}, ${topic.toLowerCase()}`;

/** @param others everyone in the conversation but the reader */
export const amongPeople = (others: readonly number[]): Place =>
  `people ${[...others].sort((a, b) => a - b).join(' ')}`;

/** The channel of a place, and what is after it; null of a direct conversation. */
export function topicOf(place: Place): { channelId: number; topic: string } | null {
  const [, channel, topic = ''] = /^channel (\d+), ([^]*)$/.exec(place) ?? [];
  return channel === undefined ? null : { channelId: Number(channel), topic };
}

/** The others in a direct conversation; null of a topic. */
export function peopleOf(place: Place): number[] | null {
  if (!place.startsWith('people ')) return null;
  return place.slice('people '.length).split(' ').filter(Boolean).map(Number);
}

/** Returns the place of a message of the state. */
export function placeOf(
  message: { stream_id?: number; subject: string; people?: string },
  ownId: number,
): Place {
  if (message.stream_id !== undefined) return inTopic(message.stream_id, message.subject);
  return amongPeople(othersIn(message.people ?? '', ownId));
}

export const othersIn = (people: string, ownId: number): number[] =>
  people
    .split(',')
    .filter(Boolean)
    .map(Number)
    .filter((id) => id !== ownId);

/** A topic of a channel, as user_topics and topics' policies are kept. */
export const topicKey = (channelId: number, topic: string): string => `${channelId} ${topic.toLowerCase()}`;
