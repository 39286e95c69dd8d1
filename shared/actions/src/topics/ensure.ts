import { type ChannelRow, tables, type Tx } from '@parley/db';
import * as model from '@parley/model';

const { topics } = tables;

type Channel = Pick<ChannelRow, 'id' | 'realmId'>;

/** Returns the topic of this name, case aside; creates it if the channel has none. */
export async function ensureTopic(tx: Tx, channel: Channel, name: string) {
  return (await model.topics.findTopic(tx, channel, name)) ?? (await createTopic(tx, channel, name)).topic;
}

/**
 * Creates a topic that was not there a moment ago. If somebody else was quicker, it is theirs, `isNew` is false, and
 * their messages may be in it.
 */
export async function createTopic(tx: Tx, channel: Channel, name: string) {
  const [inserted] = await tx
    .insert(topics)
    .values({ realmId: channel.realmId, channelId: channel.id, name })
    .onConflictDoNothing()
    .returning();
  if (inserted) return { topic: inserted, isNew: true };
  const topic = await model.topics.findTopic(tx, channel, name);
  if (!topic) throw new Error(`A topic of channel ${channel.id} was not created and does not exist.`);
  return { topic, isNew: false };
}
