import { webhookDeliveries } from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, webhookTimes } from '@parley/protocol';

import type { JobDeps, OnDemandJob } from '../job.ts';
import { type Outcome, callService } from '../webhooks/call-service.ts';

/** Passes a message on to the service of a bot, has the bot say what the service answered, and sees to the next one. */
export const deliverWebhookJob: OnDemandJob = {
  name: 'deliver-webhook',
  concurrency: 16,
  async run(deps, id, realmId) {
    const { engine, site, clock } = deps;
    // A node of an older version does not say the realm. The sweep does, a few seconds later.
    if (realmId === undefined) return { outcome: 'of no realm' };
    const db = await engine.dbOf(realmId);
    const delivery = await model.webhookDeliveries.findWebhookDelivery(db, site, { realmId, id });
    if (!delivery) return { outcome: 'gone' };
    const { attempt } = await engine.perform(delivery.bot.realm.id, webhookDeliveries.claim, {
      delivery,
      nowMs: clock.nowMs(),
    });
    if (!attempt) return { outcome: 'not due' };
    const outcome = await askService(deps, delivery);
    await settle(deps, delivery, attempt, outcome);
    if (outcome.kind !== 'later') await enqueueNext(deps, delivery);
    return { outcome: outcome.kind, attempt: attempt.attempt };
  },
};

async function askService(
  deps: JobDeps,
  delivery: model.webhookDeliveries.WebhookDelivery,
): Promise<Outcome> {
  const { engine, webhooks, clock } = deps;
  const message = await engine.snapshotAt(delivery.bot.realm.id, (tx) =>
    model.webhookDeliveries.findWebhookMessage(tx, delivery.bot, delivery.messageId),
  );
  // What the bot may not read any more is nobody's business.
  if (!message) return { kind: 'not asked', reply: null };
  const outcome = await callService(webhooks, delivery, message, clock.nowMs());
  const isTooLate = clock.nowMs() - delivery.queuedAt.getTime() >= webhookTimes.triedMs;
  return outcome.kind === 'later' && isTooLate ? { ...outcome, kind: 'failed' } : outcome;
}

async function settle(
  deps: JobDeps,
  { bot, service }: model.webhookDeliveries.WebhookDelivery,
  attempt: webhookDeliveries.Attempt,
  outcome: Outcome,
): Promise<void> {
  const { engine, clock } = deps;
  const { alertWords } = engine;
  const { id: realmId } = bot.realm;
  const nowMs = clock.nowMs();
  const fail = (failing: webhookDeliveries.WebhookFailing) =>
    engine.perform(realmId, webhookDeliveries.fail, { attempt, ...failing, nowMs, alertWords });
  if (outcome.kind === 'later') {
    await tryLater(deps, attempt, outcome);
    return;
  }
  if (outcome.kind === 'failed') {
    await fail(outcome);
    return;
  }
  if (outcome.kind === 'taken' && service.failures > 0) {
    await webhookDeliveries.recordAnswer(await engine.dbOf(realmId), bot, nowMs);
  }
  try {
    await engine.perform(realmId, webhookDeliveries.finish, { attempt, reply: outcome.reply, alertWords });
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status < 500;
    if (!isRefused) throw error;
    await fail({
      reason: `the reply of the service could not be posted (${error.message.replace(/\.$/, '')})`,
    });
  }
}

async function tryLater(
  { engine, queues, clock }: JobDeps,
  attempt: webhookDeliveries.Attempt,
  { reason, retryAfterMs }: Outcome & { kind: 'later' },
): Promise<void> {
  const nowMs = clock.nowMs();
  const dueMs = Math.round(nowMs + (retryAfterMs ?? retryMs(attempt.attempt)));
  const postponing = { reason, retryAt: new Date(dueMs), isPaused: retryAfterMs !== null, nowMs };
  const { id: realmId } = attempt.bot.realm;
  await engine.perform(realmId, webhookDeliveries.postpone, { attempt, ...postponing });
  queues.enqueue({ name: 'deliver-webhook', id: attempt.id, realmId, dueMs });
}

/** When an attempt is made again: later each time, and half of the time is left to chance. */
function retryMs(attempt: number): number {
  const { retryMs: firstMs, retryMsMax } = webhookTimes;
  return Math.min(retryMsMax, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

async function enqueueNext(
  { engine, queues, clock }: JobDeps,
  { bot, conversationId }: model.webhookDeliveries.WebhookDelivery,
) {
  const { id: realmId } = bot.realm;
  const next = await model.webhookDeliveries.nextWebhookDelivery(
    await engine.dbOf(realmId),
    bot,
    conversationId,
    new Date(clock.nowMs()),
  );
  if (next !== undefined) queues.enqueue({ name: 'deliver-webhook', id: next, realmId });
}
