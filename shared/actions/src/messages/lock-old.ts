import { type Tx, tables } from '@parley/db';
import {
  type MessageLock,
  type MessageAccess,
  getChangeableMessage,
  type Actor,
  type Rules,
  isId,
} from '@parley/model';
import { notReady } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockConversations } from '../lock.ts';

const { channels, messages } = tables;

/**
 * The same, while nobody joins or leaves the channel that it is in: for what must reach exactly those who are there. The
 * conversation is held before the message, as by whoever moves messages.
 */
export async function getHeldMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  options: { rules?: Rules; lock: MessageLock },
): Promise<MessageAccess> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const conversationId = isId(id) ? await findChannelConversation(tx, id) : null;
    await lockConversations(tx, conversationId === null ? [] : [conversationId]);
    const access = await getChangeableMessage(tx, actor, id, options);
    if ((access.channel?.channel.conversationId ?? null) === conversationId) return access;
  }
  throw notReady();
}

/** A message that is moved while it is looked up is looked up again. */
const attemptsMax = 3;

async function findChannelConversation(tx: Tx, id: number): Promise<number | null> {
  const [found] = await tx
    .select({ conversationId: channels.conversationId })
    .from(messages)
    .innerJoin(channels, eq(channels.id, messages.channelId))
    .where(eq(messages.id, id));
  return found?.conversationId ?? null;
}
