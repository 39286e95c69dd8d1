import { tables, type Tx } from '@parley/db';
import { findTopic } from '@parley/model';

const { topics } = tables;

/** A topic's row by its name, made if need be. */
export async function ensureTopic(tx: Tx, channelId: number, name: string) {
  const found = await findTopic(tx, channelId, name);
  if (found) return found;
  await tx.insert(topics).values({ channelId, name }).onConflictDoNothing();
  const made = await findTopic(tx, channelId, name);
  if (!made) throw new Error(`A topic of channel ${channelId} is neither there nor new.`);
  return made;
}
