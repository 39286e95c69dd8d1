import { type Tx, tables } from '@parley/db';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq, isNull } from 'drizzle-orm';

import { type MessageText, fenced, replyTo } from '../messages/index.ts';
import type { Attempt } from './claim.ts';
import { ownerNotice } from './owner-notice.ts';

const { webhookDeliveries } = tables;

const nothing: ActionResult = { events: [] };

/** What the service of a bot has its bot say. */
export interface WebhookReply {
  content: string;
  /** JSON of a widget. */
  widget?: string | undefined;
}

/** Why a delivery has failed for good. */
export interface WebhookFailing {
  /** What the service did, for everyone: the end of a sentence. */
  reason: string;
  /** What it answered, for the bot's owner alone. */
  excerpt?: string | undefined;
}

const isOf = ({ id, bot, attempt }: Attempt) =>
  and(
    eq(webhookDeliveries.realmId, bot.realm.id),
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.attempts, attempt),
    isNull(webhookDeliveries.failedAt),
  );

const textOf = ({ content, widget }: WebhookReply): MessageText => ({
  content,
  widget,
  client: 'OutgoingWebhook',
  readBySender: true,
  echo: null,
});

/**
 * Ends a delivery with what the service answered: the bot posts it where the message is. Both happen or neither, and only
 * if nobody else has ended the attempt, so that nothing is posted twice. The bot may write there whoever else may.
 *
 * @throws BAD_REQUEST for a reply that cannot be posted; the delivery stays as it was
 */
export async function finish(
  tx: Tx,
  {
    attempt,
    reply,
    alertWords,
  }: { attempt: Attempt; reply: WebhookReply | null; alertWords: model.alertWords.AlertWordCache },
): Promise<ActionResult> {
  const [ended] = await tx.delete(webhookDeliveries).where(isOf(attempt)).returning();
  if (!ended || !reply) return nothing;
  return await replyTo(tx, attempt.bot, ended.messageId, textOf(reply), alertWords);
}
finish.actionName = 'webhookDeliveries.finish' as const;

/**
 * Ends a delivery as failed. It is kept for administrators, who may have it tried again. The bot says so where the message
 * is, and its owner is told more.
 */
export async function fail(
  tx: Tx,
  {
    attempt,
    reason,
    excerpt,
    nowMs,
    alertWords,
  }: { attempt: Attempt; nowMs: number; alertWords: model.alertWords.AlertWordCache } & WebhookFailing,
): Promise<ActionResult> {
  const [failed] = await tx
    .update(webhookDeliveries)
    .set({ failedAt: new Date(nowMs), failure: reason, claimedUntil: null })
    .where(isOf(attempt))
    .returning();
  if (!failed) return nothing;
  const content = `I could not deliver your message: ${reason}.`;
  const said = await replyTo(tx, attempt.bot, failed.messageId, textOf({ content }), alertWords);
  const told = await ownerNotice(tx, attempt.bot, [
    `Message ${failed.messageId} could not be delivered to your bot ${model.messages.silentMention(attempt.bot)}: ${reason}.`,
    ...(excerpt === undefined || excerpt.trim() === '' ? [] : [fenced('', excerpt)]),
    'An administrator of your organization can retry it.',
  ]);
  return { ...said, events: [...said.events, ...told] };
}
fail.actionName = 'webhookDeliveries.fail' as const;
