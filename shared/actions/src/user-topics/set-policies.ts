import { tables, type Tx } from '@parley/db';
import { toSeconds, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, to, events } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockTopicPolicies } from '../lock.ts';

const { userTopics } = tables;

interface Topic {
  id: number;
  channelId: number;
  name: string;
}

/**
 * Sets the visibility policies of users for a topic. Each user gets two events: first the whole list of their muted
 * topics, for clients that know no other policy, then the change.
 */
export async function setPolicies(
  tx: Tx,
  realm: { id: number },
  topic: Topic,
  policyOf: ReadonlyMap<number, number>,
): Promise<PendingEvent[]> {
  const userIds = [...policyOf.keys()].sort((a, b) => a - b);
  if (userIds.length === 0) return [];
  await lockTopicPolicies(tx, realm, [topic.channelId], 'shared');
  const now = new Date();
  const cleared = userIds.filter((id) => policyOf.get(id) === model.userTopics.topicPolicies.none);
  if (cleared.length > 0) {
    await tx
      .delete(userTopics)
      .where(
        and(
          eq(userTopics.realmId, realm.id),
          eq(userTopics.topicId, topic.id),
          isAmong(userTopics.userId, cleared),
        ),
      );
  }
  for (const userId of userIds) {
    const policy = policyOf.get(userId);
    if (policy === undefined || policy === model.userTopics.topicPolicies.none) continue;
    await tx
      .insert(userTopics)
      .values({ realmId: realm.id, userId, topicId: topic.id, policy, updatedAt: now })
      .onConflictDoUpdate({
        target: [userTopics.realmId, userTopics.userId, userTopics.topicId],
        set: { policy, updatedAt: now },
      });
  }
  const [muted, [channel]] = await Promise.all([
    model.userTopics.listUserTopics(tx, realm.id, userIds, model.userTopics.topicPolicies.muted),
    tx
      .select()
      .from(tables.channels)
      .where(and(eq(tables.channels.realmId, realm.id), eq(tables.channels.id, topic.channelId))),
  ]);
  return userIds.flatMap((id) => {
    const list = muted.filter(({ userId }) => userId === id);
    return [
      model.userTopics.mutedTopicsEvent(id, list),
      to.user(
        { id },
        events.userTopic({
          stream_id: topic.channelId,
          topic_name: topic.name,
          last_updated: toSeconds(now),
          visibility_policy: policyOf.get(id) ?? model.userTopics.topicPolicies.none,
          ...(channel && model.channels.archivedChannelFields(channel)),
        }),
      ),
    ];
  });
}
