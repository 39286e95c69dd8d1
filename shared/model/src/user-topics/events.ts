import { type PendingEvent, events, to } from '@parley/protocol';

import { toSeconds } from '../time.ts';
import type { UserTopic } from './find.ts';

/** Returns an event with all topics that a user mutes. */
export function mutedTopicsEvent(id: number, muted: readonly UserTopic[]): PendingEvent {
  const archived = muted.filter(({ isArchived }) => isArchived).map(({ channelName }) => channelName);
  const event = events.mutedTopics({
    muted_topics: muted.map(({ channelName, topicName, updatedAt }) => [
      channelName,
      topicName,
      toSeconds(updatedAt),
    ]),
    ...(archived.length > 0 && { archived: [...new Set(archived)] }),
  });
  return to.user({ id }, event);
}
