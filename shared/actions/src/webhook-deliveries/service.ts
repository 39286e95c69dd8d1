import { type Tx, tables } from '@parley/db';
import * as model from '@parley/model';
import { type ActionResult, webhookLimits, webhookTimes } from '@parley/protocol';
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';

import type { Attempt } from './claim.ts';
import { ownerNotice } from './owner-notice.ts';

const { botServices, webhookDeliveries } = tables;

export interface Postponing {
  /** What the service did: the end of a sentence. */
  reason: string;
  retryAt: Date;
  /** The service asked that nothing is sent until then. */
  isPaused: boolean;
  nowMs: number;
}

/**
 * Puts off a delivery that its service did not take. After failures in a row the whole service is left alone for a while,
 * and when they go on, the bot's owner is told once.
 */
export async function postpone(
  tx: Tx,
  { attempt: { id, bot, attempt }, reason, retryAt, isPaused, nowMs }: { attempt: Attempt } & Postponing,
): Promise<ActionResult> {
  await tx
    .update(webhookDeliveries)
    .set({ retryAt, claimedUntil: null })
    .where(
      and(
        eq(webhookDeliveries.realmId, bot.realm.id),
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.attempts, attempt),
        isNull(webhookDeliveries.failedAt),
      ),
    );
  const { failuresInARow } = webhookLimits;
  // Half of the time is left to chance, so that services that failed together are not asked together.
  const pauseMs = sql`least(
    ${webhookTimes.pauseMs}::float8 * 2 ^ least(${botServices.failures} + 1 - ${failuresInARow}, 10), ${webhookTimes.pauseMsMax}
  ) * ${0.5 + Math.random() / 2}::float8`;
  const pause = sql`to_timestamp((${nowMs}::float8 + ${pauseMs}) / 1000)`;
  const asked = isPaused ? sql`${retryAt.toISOString()}::timestamptz` : sql`null::timestamptz`;
  const [service] = await tx
    .update(botServices)
    .set({
      failures: sql`${botServices.failures} + 1`,
      pausedUntil: sql`greatest(
        ${asked}, ${botServices.pausedUntil},
        case when ${botServices.failures} + 1 >= ${failuresInARow} then ${pause} end
      )`,
    })
    .where(and(eq(botServices.realmId, bot.realm.id), eq(botServices.botId, bot.id)))
    .returning();
  const isLasting = service?.failures === webhookLimits.failuresUntilNotice;
  const content = [
    `The service of your bot ${model.messages.silentMention(bot)} does not accept messages: ${reason}.`,
    'Each message is kept for a day. They will be delivered in order once the service works again.',
  ];
  return { events: isLasting ? await ownerNotice(tx, bot, content) : [] };
}
postpone.actionName = 'webhookDeliveries.postpone' as const;

/** Records that a service answered after failures: everything that waits for it is due. */
export async function recordAnswer(
  tx: Tx,
  bot: Pick<model.Actor, 'id' | 'realm'>,
  nowMs: number,
): Promise<void> {
  const isOver = or(isNull(botServices.pausedUntil), lte(botServices.pausedUntil, new Date(nowMs)));
  const [recovered] = await tx
    .update(botServices)
    .set({ failures: 0, pausedUntil: null })
    .where(
      and(
        eq(botServices.realmId, bot.realm.id),
        eq(botServices.botId, bot.id),
        gt(botServices.failures, 0),
        isOver,
      ),
    )
    .returning();
  if (!recovered) return;
  await tx
    .update(webhookDeliveries)
    .set({ retryAt: null })
    .where(
      and(
        eq(webhookDeliveries.realmId, bot.realm.id),
        eq(webhookDeliveries.botId, bot.id),
        isNull(webhookDeliveries.failedAt),
        isNotNull(webhookDeliveries.retryAt),
      ),
    );
}
