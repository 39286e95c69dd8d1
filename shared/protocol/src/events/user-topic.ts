import { z } from 'zod';

import { emptyTopicDisplayName } from '../objects/message.ts';
import { event } from './family.ts';

/**
 * The visibility of a topic for a user changed: 0 inherits from the channel, 1 muted, 2 unmuted, 3 followed. Sent to
 * that user only.
 */
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

/**
 * All topics that a user mutes, in the form that `user_topic` has replaced. Sent to that user only, before
 * `user_topic`.
 */
export const mutedTopics = event('muted_topics', {
  /** The channel's name, the topic, and when the user muted it. */
  muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])),
});
