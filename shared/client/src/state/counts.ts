import { type Place, amongPeople, inTopic, topicKey, topicOf } from './places.ts';
import type { State } from './state.ts';

/** Counts the unread messages of a place: a topic, or a direct conversation. */
export const unreadAt = ({ unread }: State, place: Place): number => unread.at.get(place)?.size ?? 0;

export const unreadInTopic = (state: State, channelId: number, topic: string): number =>
  unreadAt(state, inTopic(channelId, topic));

export const unreadAmong = (state: State, others: readonly number[]): number =>
  unreadAt(state, amongPeople(others));

/** Counts the unread messages of a channel, including muted topics. */
export const unreadInChannel = ({ unread }: State, channelId: number): number =>
  unread.inChannels.get(channelId) ?? 0;

/**
 * Returns whether the reader mutes a place: its topic, or its channel and the topic is neither unmuted nor followed.
 */
export function isPlaceMuted(
  { topics, subscriptions }: Pick<State, 'topics' | 'subscriptions'>,
  place: Place,
): boolean {
  const at = topicOf(place);
  if (!at) return false;
  const policy = topics.get(topicKey(at.channelId, at.topic))?.visibility_policy ?? 0;
  return policy === 1 || (policy === 0 && subscriptions.get(at.channelId)?.is_muted === true);
}

/** Returns whether the reader follows a place: its topic. */
export function isPlaceFollowed({ topics }: Pick<State, 'topics'>, place: Place): boolean {
  const at = topicOf(place);
  return at !== null && topics.get(topicKey(at.channelId, at.topic))?.visibility_policy === 3;
}

/** Counts the unread messages of places that are not muted, with one step for each place. */
export function unreadInAll(state: State): number {
  let count = 0;
  for (const [place, ids] of state.unread.at) if (!isPlaceMuted(state, place)) count += ids.size;
  return count;
}
