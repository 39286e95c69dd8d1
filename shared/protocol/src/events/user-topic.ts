import { z } from 'zod';

import { emptyTopicDisplayName } from '../objects/message.ts';
import { event } from './family.ts';

/** How visible a topic is to a user changed: 0 as its channel, 1 muted, 2 unmuted, 3 followed. To that user alone. */
export const userTopic = event(
  'user_topic',
  {
    stream_id: z.int(),
    topic_name: z.string(),
    last_updated: z.int(),
    visibility_policy: z.int().min(0).max(3),
  },
  {
    forClient: (logged, client) =>
      logged.topic_name === '' && !client.empty_topic_name
        ? [{ ...logged, topic_name: emptyTopicDisplayName }]
        : [logged],
  },
);

/** The topics that a user mutes, whole: what `user_topic` has replaced. To that user alone, before it. */
export const mutedTopics = event('muted_topics', {
  /** Channel name, topic, when it was muted. */
  muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])),
});
