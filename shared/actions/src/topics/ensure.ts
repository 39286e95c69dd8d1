import { tables, type Tx } from '@parley/db';
import * as model from '@parley/model';

const { topics } = tables;

/** Returns the topic of this name, case aside; creates it if the channel has none. */
export async function ensureTopic(tx: Tx, channelId: number, name: string) {
  const existing = await model.topics.findTopic(tx, channelId, name);
  if (existing) return existing;
  const [made] = await tx.insert(topics).values({ channelId, name }).onConflictDoNothing().returning();
  // Somebody else may have created it at the same moment.
  const created = made ?? (await model.topics.findTopic(tx, channelId, name));
  if (!created) throw new Error(`A topic of channel ${channelId} was not created and does not exist.`);
  return created;
}
