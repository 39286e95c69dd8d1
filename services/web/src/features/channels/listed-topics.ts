import type { Topic } from '../../data/topics/topics.ts';

/** Which topics are listed. */
export type ShownTopics = 'all' | 'unread' | 'followed' | 'unresolved' | 'resolved';

interface Facts {
  readonly nameOf: (topic: string) => string;
  readonly unreadIn: (topic: string) => number;
  readonly isFollowed: (topic: string) => boolean;
  readonly isResolved: (topic: string) => boolean;
}

/** Returns the topics that somebody wants to see, in their order. */
export function listedTopics(
  topics: readonly Topic[],
  query: string,
  shown: ShownTopics,
  facts: Facts,
): Topic[] {
  const wanted = query.trim().toLowerCase();
  const isShown: Readonly<Record<ShownTopics, (topic: string) => boolean>> = {
    all: () => true,
    unread: (topic) => facts.unreadIn(topic) > 0,
    followed: facts.isFollowed,
    unresolved: (topic) => !facts.isResolved(topic),
    resolved: facts.isResolved,
  };
  return topics.filter(
    ({ name }) => isShown[shown](name) && facts.nameOf(name).toLowerCase().includes(wanted),
  );
}
