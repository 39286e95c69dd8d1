import { tables, type Tx } from '@parley/db';
import { and, eq, sql } from 'drizzle-orm';

const { topics } = tables;

/** Returns the topic of a channel by name (case-insensitive). */
export async function findTopic(tx: Tx, channelId: number, name: string) {
  const hasName = and(eq(topics.channelId, channelId), eq(sql`lower(${topics.name})`, sql`lower(${name})`));
  const [topic] = await tx.select().from(topics).where(hasName);
  return topic;
}
