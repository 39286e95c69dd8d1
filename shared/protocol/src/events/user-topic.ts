import { z } from 'zod';

import { TopicName } from '../objects/topic-name.ts';
import { event, sentEvent } from './family.ts';
import { ofArchived, reachesClient } from './of-archived.ts';

const policy = {
  stream_id: z.int(),
  topic_name: TopicName,
  last_updated: z.int(),
  visibility_policy: z.int().min(0).max(3),
};

/**
 * The visibility of a topic for a user changed: 0 inherits from the channel, 1 muted, 2 unmuted, 3 followed. Sent to
 * that user only.
 */
export const userTopic = event(
  'user_topic',
  { ...policy, of_archived: ofArchived },
  {
    sent: [sentEvent('user_topic', policy)],
    forClient: ({ of_archived, ...sent }, client) => (reachesClient(of_archived, client) ? [sent] : []),
  },
);

/** The channel's name, the topic, and when the user muted it. */
export const MutedTopic = z.tuple([z.string(), TopicName, z.int()]);

const list = { muted_topics: z.array(MutedTopic) };

/**
 * All topics that a user mutes, in the form that `user_topic` has replaced. Sent to that user only, before
 * `user_topic`. `archived` names the channels among them that are archived.
 */
export const mutedTopics = event(
  'muted_topics',
  { ...list, archived: z.array(z.string()).optional(), of_archived: ofArchived },
  {
    sent: [sentEvent('muted_topics', list)],
    forClient({ type, muted_topics, archived = [], of_archived }, client) {
      if (!reachesClient(of_archived, client)) return [];
      if (client.archived_channels) return [{ type, muted_topics }];
      return [{ type, muted_topics: muted_topics.filter(([channel]) => !archived.includes(channel)) }];
    },
  },
);
