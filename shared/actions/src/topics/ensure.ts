import { tables, type Tx } from '@parley/db';
import * as model from '@parley/model';

const { topics } = tables;

/** Returns the topic of this name, case aside; creates it if the channel has none. */
export async function ensureTopic(tx: Tx, channelId: number, name: string) {
  return (
    (await model.topics.findTopic(tx, channelId, name)) ?? (await createTopic(tx, channelId, name)).topic
  );
}

/**
 * Creates a topic that was not there a moment ago. If somebody else was quicker, it is theirs, `isNew` is false, and
 * their messages may be in it.
 */
export async function createTopic(tx: Tx, channelId: number, name: string) {
  const [inserted] = await tx.insert(topics).values({ channelId, name }).onConflictDoNothing().returning();
  if (inserted) return { topic: inserted, isNew: true };
  const topic = await model.topics.findTopic(tx, channelId, name);
  if (!topic) throw new Error(`A topic of channel ${channelId} was not created and does not exist.`);
  return { topic, isNew: false };
}
