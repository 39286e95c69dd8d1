import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { PendingEvent } from '@parley/protocol';

import { setPolicies } from './set-policies.ts';

/**
 * Records that the actor takes part in a message's topic, by doing something with the message: the topic may become
 * more visible to them.
 */
export async function participate(
  tx: Tx,
  actor: Actor,
  { channel, topic }: model.access.MessageAccess,
): Promise<PendingEvent[]> {
  if (!channel || !topic) return [];
  const place = { conversationId: channel.channel.conversationId, topicId: topic.id };
  const policy = await model.userTopics.automaticTopicPolicy(tx, actor, place, 'participate');
  return policy === null ? [] : await setPolicies(tx, actor.realm, topic, new Map([[actor.id, policy]]));
}
