import { type ChannelRow, tables, type Tx } from '@parley/db';
import { and, eq, sql } from 'drizzle-orm';

const { topics } = tables;

/** Returns the topic of a channel by name (case-insensitive). */
export async function findTopic(tx: Tx, channel: Pick<ChannelRow, 'id' | 'realmId'>, name: string) {
  const hasName = and(
    eq(topics.realmId, channel.realmId),
    eq(topics.channelId, channel.id),
    eq(sql`lower(${topics.name})`, sql`lower(${name})`),
  );
  const [topic] = await tx.select().from(topics).where(hasName);
  return topic;
}
