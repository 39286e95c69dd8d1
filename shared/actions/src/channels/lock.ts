import type { Tx } from '@parley/db';
import { type ChannelAccess, findChannel, type Actor } from '@parley/model';

import { lockConversations } from '../lock.ts';

/** A channel as the actor finds it, by its name. */
export type FindLockedChannel = (name: string) => Promise<ChannelAccess | undefined>;

/**
 * Holds the channels of these names as they are, and who is in them. What was read of them before may be over: they
 * are to be found anew, and whatever has taken one's name meanwhile is not.
 */
export async function lockChannels(tx: Tx, actor: Actor, names: string[]): Promise<FindLockedChannel> {
  const held = new Set<number>();
  for (const name of names) {
    const found = await findChannel(tx, actor, name);
    if (found) held.add(found.channel.conversationId);
  }
  await lockConversations(tx, [...held]);
  return async (name) => {
    const found = await findChannel(tx, actor, name);
    return found && held.has(found.channel.conversationId) ? found : undefined;
  };
}
