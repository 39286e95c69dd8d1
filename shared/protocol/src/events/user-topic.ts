import { z } from 'zod';

import { TopicName } from '../objects/topic-name.ts';
import { event } from './family.ts';

/**
 * The visibility of a topic for a user changed: 0 inherits from the channel, 1 muted, 2 unmuted, 3 followed. Sent to
 * that user only.
 */
export const userTopic = event('user_topic', {
  stream_id: z.int(),
  topic_name: TopicName,
  last_updated: z.int(),
  visibility_policy: z.int().min(0).max(3),
});

/** The channel's name, the topic, and when the user muted it. */
export const MutedTopic = z.tuple([z.string(), TopicName, z.int()]);

/**
 * All topics that a user mutes, in the form that `user_topic` has replaced. Sent to that user only, before
 * `user_topic`.
 */
export const mutedTopics = event('muted_topics', { muted_topics: z.array(MutedTopic) });
