import { type Tx, tables } from '@parley/db';
import { type Draft, events, to } from '@parley/protocol';
import { and, eq, inArray } from 'drizzle-orm';

import { listUserTopics } from './find.ts';
import { policies } from './policies.ts';

const { userTopics } = tables;

interface Topic {
  id: number;
  channelId: number;
  name: string;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/**
 * Sets how visible a topic is to users, and tells each of them: first the whole list of muted topics, for clients that
 * know no other, then the change.
 */
export async function setPolicies(
  tx: Tx,
  topic: Topic,
  policyOf: ReadonlyMap<number, number>,
): Promise<Draft[]> {
  const userIds = [...policyOf.keys()].sort((a, b) => a - b);
  if (userIds.length === 0) return [];
  const now = new Date();
  const cleared = userIds.filter((id) => policyOf.get(id) === policies.none);
  if (cleared.length > 0) {
    await tx
      .delete(userTopics)
      .where(and(eq(userTopics.topicId, topic.id), inArray(userTopics.userId, cleared)));
  }
  for (const userId of userIds) {
    const policy = policyOf.get(userId);
    if (policy === undefined || policy === policies.none) continue;
    await tx
      .insert(userTopics)
      .values({ userId, topicId: topic.id, policy, updatedAt: now })
      .onConflictDoUpdate({
        target: [userTopics.userId, userTopics.topicId],
        set: { policy, updatedAt: now },
      });
  }
  const muted = await listUserTopics(tx, userIds, policies.muted);
  return userIds.flatMap((id) => {
    const list = muted
      .filter(({ userId }) => userId === id)
      .map(({ channelName, topicName, updatedAt }): [string, string, number] => [
        channelName,
        topicName,
        seconds(updatedAt),
      ]);
    return [
      to.user({ id }, events.mutedTopics({ muted_topics: list })),
      to.user(
        { id },
        events.userTopic({
          stream_id: topic.channelId,
          topic_name: topic.name,
          last_updated: seconds(now),
          visibility_policy: policyOf.get(id) ?? policies.none,
        }),
      ),
    ];
  });
}
