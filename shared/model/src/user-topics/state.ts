import { type Tx, readOnce } from '@parley/db';

import { listVisibleChannels } from '../access/channels.ts';
import type { Actor } from '../actor.ts';
import { toSeconds } from '../time.ts';
import { listUserTopics } from './find.ts';
import { topicPolicies } from './policies.ts';

/**
 * The topics for which the actor has set a policy, in channels that the actor may see. A policy that was set while the
 * actor lost access to the channel stays stored, and is left out.
 */
async function listAccessibleUserTopics(tx: Tx, actor: Actor, withArchived: boolean) {
  const topics = await readOnce(tx, `topics of ${actor.id}`, () =>
    listUserTopics(tx, actor.realm.id, [actor.id]),
  );
  if (topics.length === 0) return topics;
  const visible = await readOnce(tx, `channels of ${actor.id}`, () => listVisibleChannels(tx, actor));
  const visibleIds = new Set(visible.map(({ channel }) => channel.id));
  return topics.filter(
    ({ channelId, isArchived }) => visibleIds.has(channelId) && (withArchived || !isArchived),
  );
}

/** Returns `user_topics` of POST /register. */
export async function userTopicsState(tx: Tx, actor: Actor, withArchived: boolean) {
  return (await listAccessibleUserTopics(tx, actor, withArchived)).map(
    ({ channelId, topicName, updatedAt, policy }) => ({
      stream_id: channelId,
      topic_name: topicName,
      last_updated: toSeconds(updatedAt),
      visibility_policy: policy,
    }),
  );
}

/** Returns `muted_topics` of POST /register: channel name, topic, when it was muted. */
export async function mutedTopicsState(
  tx: Tx,
  actor: Actor,
  withArchived: boolean,
): Promise<[string, string, number][]> {
  const topics = await listAccessibleUserTopics(tx, actor, withArchived);
  return topics
    .filter(({ policy }) => policy === topicPolicies.muted)
    .map(({ channelName, topicName, updatedAt }) => [channelName, topicName, toSeconds(updatedAt)]);
}
