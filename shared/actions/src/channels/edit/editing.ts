import { type ChannelRow, type Tx, tables } from '@parley/db';
import {
  type Actor,
  type Rules,
  type ChannelAccess,
  type ChannelHead,
  getVisibleChannel,
  getRules,
  mayAdministerChannel,
  listChannelHeads,
  listSubscribers,
} from '@parley/model';
import { type PendingEvent, ApiError } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockName, lockConversations } from '../../lock.ts';
import { lockDefaults } from '../defaults/channels.ts';

/** What the steps of a change have in common: who acts on what, all held until the end. */
export interface EditContext {
  actor: Actor;
  rules: Rules;
  /** What the actor is to the channel; the channel as it was. */
  access: ChannelAccess;
  facts: ChannelHead;
  subscribers: number[];
}

/** What one step makes of a channel, and says of it. */
export interface PartialEdit {
  channel: ChannelRow;
  events: PendingEvent[];
  /** What the notification bot says in the channel. */
  notices?: string[];
}

/** Holds the channel, and its name to be, for a change by somebody who may administer it. */
export async function lockForEditing(
  tx: Tx,
  actor: Actor,
  channelId: number,
  name?: string,
): Promise<EditContext> {
  await lockDefaults(tx, actor.realm);
  if (name !== undefined) await lockName(tx, 'channel', actor.realm.id, name);
  const { channel: found } = await getVisibleChannel(tx, actor, channelId);
  await lockConversations(tx, [found.conversationId]);
  const rules = await getRules(tx, actor.realm.id);
  const access = await getVisibleChannel(tx, actor, channelId, rules);
  if (!mayAdministerChannel(actor, access, rules)) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to administer this channel.');
  }
  const { conversationId } = access.channel;
  const heads = await listChannelHeads(tx, [conversationId]);
  const subscribers = (await listSubscribers(tx, [conversationId])).get(conversationId) ?? [];
  const firstMessageId = heads.get(conversationId)?.firstMessageId ?? null;
  return {
    actor,
    rules,
    access,
    facts: { firstMessageId, subscriberCount: subscribers.length },
    subscribers,
  };
}

export async function saveChannel(tx: Tx, { id, ...columns }: ChannelRow): Promise<void> {
  const { channels } = tables;
  const { realmId: _, conversationId: __, createdAt: ___, ...changing } = columns;
  await tx.update(channels).set(changing).where(eq(channels.id, id));
}
