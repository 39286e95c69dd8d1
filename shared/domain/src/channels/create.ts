import type { Tx } from '@parley/db';
import { ApiError, type ActionResult } from '@parley/protocol';

import { type Actor, isGuest } from '../actor.ts';
import { lockConversations, lockName } from '../lock.ts';
import { getRules } from '../realms/rules.ts';
import { withSight } from '../users/sight-changes.ts';
import { defaultsDraft, lockDefaults } from './defaults.ts';
import { findChannel } from './find.ts';
import { type NewChannel, insertChannel, readNewSettings } from './insert.ts';
import { join } from './join.ts';
import { mayAddSubscribers } from './may.ts';
import { announce, noticeOfCreation } from './notices.ts';
import type { ChannelRow } from './present.ts';
import { getPrincipals } from './principals.ts';

export interface Creating {
  channel: NewChannel;
  /** Ids of those who are in it from the start. */
  subscribers: number[];
  isAnnounced: boolean;
}

/** Makes a channel. Whoever makes it is in it only if listed. */
export async function create(
  tx: Tx,
  actor: Actor,
  { channel: wanted, subscribers, isAnnounced }: Creating,
): Promise<ActionResult & { channel: ChannelRow }> {
  if (isGuest(actor)) throw new ApiError('BAD_REQUEST', 'Not allowed for guest users');
  const rules = await getRules(tx, actor.realm.id);
  if (wanted.isDefault) await lockDefaults(tx, actor.realm);
  await lockName(tx, 'channel', actor.realm.id, wanted.name);
  const same = await findChannel(tx, actor, wanted.name);
  if (same) throw nameTaken(same.channel.name);
  const settings = await readNewSettings(tx, actor, rules, wanted);
  const users = await getPrincipals(tx, actor, subscribers);
  const { name, description } = wanted;
  const channel = await insertChannel(tx, actor, { ...settings, name, description });
  const isForOthers = users.some(({ id }) => id !== actor.id);
  if (isForOthers && !mayAddSubscribers(actor, { channel, isSubscribed: false }, rules)) {
    throw new ApiError('BAD_REQUEST', 'Insufficient permission');
  }
  await lockConversations(tx, [channel.conversationId]);
  const joined = await withSight(
    tx,
    actor.realm,
    rules,
    await join(tx, actor.realm, rules, [{ channel, users, color: null, isNew: true }]),
  );
  return {
    ...joined,
    events: [
      ...joined.events,
      ...(channel.isDefault ? [await defaultsDraft(tx, actor.realm)] : []),
      ...(isAnnounced ? await announce(tx, actor, rules, [channel]) : []),
      ...(await noticeOfCreation(tx, actor, channel)),
    ],
    channel,
  };
}

export const nameTaken = (name: string) =>
  new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name });
