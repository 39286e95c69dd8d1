import type { Topic } from './topics.ts';

/** What opening a channel shows: its newest topic, all of its messages, or its newest topic with unread messages. */
export const channelViews = { newest: 1, whole: 2, newestUnread: 4 } as const;

interface Facts {
  readonly isMuted: (topic: string) => boolean;
  readonly isUnread: (topic: string) => boolean;
}

/** Returns the topic that opening a channel leads to; null where that is the whole channel. */
export function openedTopic(topics: readonly Topic[], view: number, facts: Facts): Topic | null {
  if (view === channelViews.whole) return null;
  const heard = topics.filter(({ name }) => !facts.isMuted(name));
  const unread =
    view === channelViews.newestUnread ? heard.find(({ name }) => facts.isUnread(name)) : undefined;
  return unread ?? heard[0] ?? topics[0] ?? null;
}
