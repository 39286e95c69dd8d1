import { type Tx, tables } from '@parley/db';
import { and, eq, inArray, sql } from 'drizzle-orm';

const { channels, topics, userTopics } = tables;

export interface UserTopic {
  userId: number;
  channelId: number;
  channelName: string;
  topicName: string;
  policy: number;
  updatedAt: Date;
}

/** Every topic that any of the users treats otherwise than its channel, oldest change first. */
export async function listUserTopics(tx: Tx, userIds: number[], policy?: number): Promise<UserTopic[]> {
  if (userIds.length === 0) return [];
  return await tx
    .select({
      userId: userTopics.userId,
      channelId: channels.id,
      channelName: channels.name,
      topicName: topics.name,
      policy: userTopics.policy,
      updatedAt: userTopics.updatedAt,
    })
    .from(userTopics)
    .innerJoin(topics, eq(topics.id, userTopics.topicId))
    .innerJoin(channels, eq(channels.id, topics.channelId))
    .where(
      and(
        inArray(userTopics.userId, userIds),
        policy === undefined ? undefined : eq(userTopics.policy, policy),
      ),
    )
    .orderBy(userTopics.updatedAt, userTopics.topicId);
}

/** How visible a topic is to each of the users who have said so; the others see it as its channel. */
export async function findPolicies(tx: Tx, topicId: number, userIds: number[]): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await tx
    .select({ userId: userTopics.userId, policy: userTopics.policy })
    .from(userTopics)
    .where(and(eq(userTopics.topicId, topicId), inArray(userTopics.userId, userIds)));
  return new Map(rows.map(({ userId, policy }) => [userId, policy]));
}

/** A topic's row by its name, case aside. */
export async function findTopic(tx: Tx, channelId: number, name: string) {
  const same = and(eq(topics.channelId, channelId), eq(sql`lower(${topics.name})`, sql`lower(${name})`));
  const [topic] = await tx.select().from(topics).where(same);
  return topic;
}

/** A topic's row by its name, made if need be. */
export async function getTopic(tx: Tx, channelId: number, name: string) {
  const found = await findTopic(tx, channelId, name);
  if (found) return found;
  await tx.insert(topics).values({ channelId, name }).onConflictDoNothing();
  const made = await findTopic(tx, channelId, name);
  if (!made) throw new Error(`A topic of channel ${channelId} is neither there nor new.`);
  return made;
}
