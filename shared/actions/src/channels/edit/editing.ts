import { type ChannelRow, type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, ApiError } from '@parley/protocol';

import { lockName, lockConversations, lockUserGroups } from '../../lock.ts';
import type { NoticeWriter } from '../../messages/index.ts';
import { lockDefaults } from '../lock.ts';

/** What the parts of an edit have in common. All of it is locked until the end of the transaction. */
export interface EditContext {
  actor: Actor;
  rules: model.permissions.Rules;
  /** The channel before the edit, and what the actor may do in it. */
  access: model.access.ChannelAccess;
  facts: model.channels.ChannelHead;
  subscribers: number[];
}

/** The result of one part of an edit. */
export interface PartialEdit {
  channel: ChannelRow;
  events: PendingEvent[];
  /** Notices that the notification bot sends to the channel. */
  notices?: NoticeWriter[];
}

/**
 * Locks a channel and its new name for an edit, and user groups if the edit may name some.
 *
 * @throws BAD_REQUEST for a channel that the actor may not see or administer
 */
export async function lockForEditing(
  tx: Tx,
  actor: Actor,
  channelId: number,
  { name, namesGroups = false }: { name?: string | undefined; namesGroups?: boolean } = {},
): Promise<EditContext> {
  await lockDefaults(tx, actor.realm);
  if (name !== undefined) await lockName(tx, 'channel', actor.realm.id, name);
  if (namesGroups) await lockUserGroups(tx, actor.realm.id, 'shared');
  const visible = await model.access.getVisibleChannel(tx, actor, channelId);
  await lockConversations(tx, actor.realm, [visible.channel.conversationId]);
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const access = await model.access.getVisibleChannel(tx, actor, channelId, rules);
  if (!model.access.mayAdministerChannel(actor, access, rules)) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to administer this channel.');
  }
  const { realmId, conversationId } = access.channel;
  const heads = await model.channels.listChannelHeads(tx, realmId, [conversationId]);
  const listed = await model.channels.listSubscribers(tx, realmId, [conversationId]);
  const subscribers = listed.get(conversationId) ?? [];
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
  const { realmId, conversationId: __, createdAt: ___, ...changing } = columns;
  await tx
    .update(channels)
    .set(changing)
    .where(hasId(channels, { id: realmId }, id));
}
