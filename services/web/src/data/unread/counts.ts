import { type Place, type State, isPlaceMuted, topicOf } from '@parley/client';
import { computed } from '@preact/signals';

import { slice, peek } from '../live/state.ts';

/** What is unread in a channel. */
interface ChannelCount {
  /** Without what the reader mutes. */
  count: number;
  /** Only what is muted. */
  muted: number;
  hasMention: boolean;
}

export interface Counts {
  /** A channel in which all is read has no entry. */
  channels: ReadonlyMap<number, ChannelCount>;
  /** Places with an unread message that mentions the reader. */
  mentioned: ReadonlySet<Place>;
  /** In direct conversations. */
  direct: number;
  /** All that is not muted. */
  all: number;
}

/** Counts what is unread: a step for each place where something is. */
function countUnread(state: State): Counts {
  const channels = new Map<number, ChannelCount>();
  const mentioned = new Set<Place>();
  for (const id of state.mentions) {
    const place = state.unread.places.get(id);
    if (place !== undefined) mentioned.add(place);
  }
  let [direct, all] = [0, 0];
  for (const [place, ids] of state.unread.at) {
    const topic = topicOf(place);
    const isMuted = isPlaceMuted(state, place);
    if (!isMuted) all += ids.size;
    if (!topic) {
      direct += ids.size;
      continue;
    }
    const known = channels.get(topic.channelId) ?? { count: 0, muted: 0, hasMention: false };
    channels.set(topic.channelId, {
      count: known.count + (isMuted ? 0 : ids.size),
      muted: known.muted + (isMuted ? ids.size : 0),
      hasMention: known.hasMention || mentioned.has(place),
    });
  }
  return { channels, mentioned, direct, all };
}

/** The current counts of unread messages, computed once for all components that show them. */
export const counts = computed(() => {
  for (const name of ['unread', 'mentions', 'topics', 'subscriptions'] as const) slice(name);
  return countUnread(peek());
});
