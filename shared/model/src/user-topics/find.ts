import { tables, type Tx } from '@parley/db';
import { eq, and } from 'drizzle-orm';

import { isAmong } from '../ids.ts';

const { channels, topics, userTopics } = tables;

export interface UserTopic {
  userId: number;
  channelId: number;
  channelName: string;
  isArchived: boolean;
  topicName: string;
  policy: number;
  updatedAt: Date;
}

/** Returns the topics for which any of the users has set a visibility policy, oldest change first. */
export async function listUserTopics(
  tx: Tx,
  realmId: number,
  userIds: number[],
  policy?: number,
): Promise<UserTopic[]> {
  if (userIds.length === 0) return [];
  return await tx
    .select({
      userId: userTopics.userId,
      channelId: channels.id,
      channelName: channels.name,
      isArchived: channels.isArchived,
      topicName: topics.name,
      policy: userTopics.policy,
      updatedAt: userTopics.updatedAt,
    })
    .from(userTopics)
    .innerJoin(topics, and(eq(topics.realmId, realmId), eq(topics.id, userTopics.topicId)))
    .innerJoin(channels, and(eq(channels.realmId, realmId), eq(channels.id, topics.channelId)))
    .where(
      and(
        eq(userTopics.realmId, realmId),
        isAmong(userTopics.userId, userIds),
        policy === undefined ? undefined : eq(userTopics.policy, policy),
      ),
    )
    .orderBy(userTopics.updatedAt, userTopics.topicId);
}

/** Returns the visibility policies of a topic by user id. Users who have set none are left out. */
export async function findTopicPolicies(
  tx: Tx,
  realmId: number,
  topicId: number,
  userIds: number[],
): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await tx
    .select({ userId: userTopics.userId, policy: userTopics.policy })
    .from(userTopics)
    .where(
      and(
        eq(userTopics.realmId, realmId),
        eq(userTopics.topicId, topicId),
        isAmong(userTopics.userId, userIds),
      ),
    );
  return new Map(rows.map(({ userId, policy }) => [userId, policy]));
}
