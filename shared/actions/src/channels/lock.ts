import type { Tx } from '@parley/db';
import type { Actor, AudienceRealm } from '@parley/model';
import * as model from '@parley/model';

import { lockConversations, lockName } from '../lock.ts';

/** Locks the list of default channels: events hold the whole list, so changes of it take turns. */
export const lockDefaults = (tx: Tx, realm: AudienceRealm) =>
  lockName(tx, 'list', realm.id, 'default channels');

/** Finds a locked channel by its name, as the actor sees it. */
export type FindLockedChannel = (name: string) => Promise<model.access.ChannelAccess | undefined>;

/**
 * Locks the channels of these names and their members. Rows that were read before may be outdated, so channels are to be
 * found again with the returned function, which does not find a channel that has taken a name meanwhile.
 */
export async function lockChannels(tx: Tx, actor: Actor, names: string[]): Promise<FindLockedChannel> {
  const locked = new Set<number>();
  for (const name of names) {
    const access = await model.access.findChannel(tx, actor, name);
    if (access) locked.add(access.channel.conversationId);
  }
  await lockConversations(tx, actor.realm, [...locked]);
  return async (name) => {
    const access = await model.access.findChannel(tx, actor, name);
    return access && locked.has(access.channel.conversationId) ? access : undefined;
  };
}
