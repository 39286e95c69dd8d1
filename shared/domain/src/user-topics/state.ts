import type { Tx } from '@parley/db';
import { emptyTopicDisplayName } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { listUserTopics } from './find.ts';
import { policies } from './policies.ts';

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** `user_topics` of POST /register. */
export async function userTopicsState(tx: Tx, actor: Actor, showsEmptyTopic: boolean) {
  return (await listUserTopics(tx, [actor.id])).map(({ channelId, topicName, updatedAt, policy }) => ({
    stream_id: channelId,
    topic_name: topicName === '' && !showsEmptyTopic ? emptyTopicDisplayName : topicName,
    last_updated: seconds(updatedAt),
    visibility_policy: policy,
  }));
}

/** `muted_topics` of POST /register: channel name, topic, when it was muted. */
export async function mutedTopicsState(tx: Tx, actor: Actor): Promise<[string, string, number][]> {
  return (await listUserTopics(tx, [actor.id], policies.muted)).map(
    ({ channelName, topicName, updatedAt }) => [channelName, topicName, seconds(updatedAt)],
  );
}
