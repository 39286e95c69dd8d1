import { tables, type Tx } from '@parley/db';
import { and, eq, sql } from 'drizzle-orm';

const { topics } = tables;

/** A topic's row by its name, case aside. */
export async function findTopic(tx: Tx, channelId: number, name: string) {
  const same = and(eq(topics.channelId, channelId), eq(sql`lower(${topics.name})`, sql`lower(${name})`));
  const [topic] = await tx.select().from(topics).where(same);
  return topic;
}
