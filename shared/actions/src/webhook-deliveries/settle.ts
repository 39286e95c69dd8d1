import { type Tx, tables } from '@parley/db';
import { listUsers, silentMention } from '@parley/model';
import type { ActionResult, PendingEvent } from '@parley/protocol';
import { and, eq, isNull } from 'drizzle-orm';

import { type MessageText, fenced, noticeEvents, replyTo } from '../messages/index.ts';
import type { Attempt } from './claim.ts';

const { webhookDeliveries } = tables;

const nothing: ActionResult = { events: [], keepsRules: true };

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

const isOf = ({ id, attempt }: Attempt) =>
  and(
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
export async function finish(tx: Tx, attempt: Attempt, reply: WebhookReply | null): Promise<ActionResult> {
  const [ended] = await tx.delete(webhookDeliveries).where(isOf(attempt)).returning();
  if (!ended || !reply) return nothing;
  return await replyTo(tx, attempt.bot, ended.messageId, textOf(reply));
}

/**
 * Ends a delivery as failed. It is kept for administrators, who may have it tried again. The bot says so where the message
 * is, and its owner is told more.
 */
export async function fail(
  tx: Tx,
  attempt: Attempt,
  { reason, excerpt }: WebhookFailing,
  nowMs: number,
): Promise<ActionResult> {
  const [failed] = await tx
    .update(webhookDeliveries)
    .set({ failedAt: new Date(nowMs), failure: reason, claimedUntil: null })
    .where(isOf(attempt))
    .returning();
  if (!failed) return nothing;
  const content = `I could not pass this on: ${reason}.`;
  const said = await replyTo(tx, attempt.bot, failed.messageId, textOf({ content }));
  const told = await ownerNotice(tx, attempt, failed.messageId, { reason, excerpt });
  return { ...said, events: [...said.events, ...told] };
}

async function ownerNotice(
  tx: Tx,
  { bot }: Attempt,
  messageId: number,
  { reason, excerpt }: WebhookFailing,
): Promise<PendingEvent[]> {
  const [owner] = bot.botOwnerId === null ? [] : await listUsers(tx, bot.realm.id, [bot.botOwnerId]);
  if (!owner?.isActive) return [];
  const content = [
    `Your bot ${silentMention(bot)} was not told of message ${messageId}: ${reason}.`,
    ...(excerpt === undefined || excerpt.trim() === '' ? [] : [fenced('', excerpt)]),
    'An administrator of your organization can have it tried again.',
  ].join('\n\n');
  return await noticeEvents(tx, bot.realm, { users: [owner.id] }, content);
}
