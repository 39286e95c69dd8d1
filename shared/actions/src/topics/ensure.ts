import { tables, type Tx } from '@parley/db';
import * as model from '@parley/model';

const { topics } = tables;

/** Returns the topic of this name, case aside; creates it if the channel has none. */
export async function ensureTopic(tx: Tx, channelId: number, name: string) {
  return (await model.topics.findTopic(tx, channelId, name)) ?? (await createTopic(tx, channelId, name));
}

/** Creates a topic that was not there a moment ago. */
export async function createTopic(tx: Tx, channelId: number, name: string) {
  const [inserted] = await tx.insert(topics).values({ channelId, name }).onConflictDoNothing().returning();
  if (inserted) return inserted;
  // Somebody else was quicker.
  const created = await model.topics.findTopic(tx, channelId, name);
  if (!created) throw new Error(`A topic of channel ${channelId} was not created and does not exist.`);
  return created;
}
