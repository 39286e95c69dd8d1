import { type Tx, tables } from '@parley/db';
import type { WebhookFailure, WebhookTrigger } from '@parley/protocol';
import { and, count, desc, eq, isNotNull, isNull, lt } from 'drizzle-orm';

import { type Actor, actorOf } from '../actor.ts';
import { assertAdministrator } from '../permissions/assert.ts';
import { type Site, realmAt } from '../realms/site.ts';
import { toSeconds } from '../time.ts';

const { botServices, realms, users, webhookDeliveries } = tables;

/** A message that is to be passed on to the service of a bot. */
export interface WebhookDelivery {
  id: number;
  bot: Actor;
  service: typeof botServices.$inferSelect;
  messageId: number;
  conversationId: number;
  trigger: WebhookTrigger;
  queuedAt: Date;
}

/** Returns a delivery that is still to be made; undefined if it was, has failed, or its bot is not in use. */
export async function findWebhookDelivery(
  tx: Tx,
  site: Site,
  { realmId, id }: { realmId: number; id: number },
): Promise<WebhookDelivery | undefined> {
  const [row] = await tx
    .select({ delivery: webhookDeliveries, bot: users, service: botServices, realm: realms })
    .from(webhookDeliveries)
    .innerJoin(
      users,
      and(eq(users.realmId, webhookDeliveries.realmId), eq(users.id, webhookDeliveries.botId)),
    )
    .innerJoin(
      botServices,
      and(eq(botServices.realmId, webhookDeliveries.realmId), eq(botServices.botId, webhookDeliveries.botId)),
    )
    .innerJoin(realms, eq(realms.id, webhookDeliveries.realmId))
    .where(
      and(
        eq(webhookDeliveries.realmId, realmId),
        eq(webhookDeliveries.id, id),
        isNull(webhookDeliveries.failedAt),
        users.isActive,
        realms.isActive,
      ),
    );
  const realm = row && realmAt(row.realm, site);
  if (!realm) return undefined;
  const { messageId, conversationId, queuedAt, trigger } = row.delivery;
  const [bot, service] = [actorOf(row.bot, realm), row.service];
  // Safe: triggers are written by this code alone.
  return { id, bot, service, messageId, conversationId, queuedAt, trigger: trigger as WebhookTrigger };
}

/**
 * Returns deliveries of a realm that failed for good, those that were triggered last first, before an id if one is
 * given.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 */
export async function listWebhookFailures(
  tx: Tx,
  viewer: Pick<Actor, 'role'> & { realm: Pick<Actor['realm'], 'id'> },
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<WebhookFailure[]> {
  assertAdministrator(viewer);
  const rows = await tx
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.realmId, viewer.realm.id),
        isNotNull(webhookDeliveries.failedAt),
        before === undefined ? undefined : lt(webhookDeliveries.id, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit);
  return rows.map((row) => ({
    id: row.id,
    bot_id: row.botId,
    message_id: row.messageId,
    // Safe: triggers are written by this code alone.
    trigger: row.trigger as WebhookTrigger,
    attempts: row.attempts,
    failed_at: toSeconds(row.failedAt ?? row.queuedAt),
    failure: row.failure ?? '',
  }));
}

const countedMax = 1000;

/** Returns how many deliveries failed for good, in all realms. At most a thousand are counted. */
export async function countWebhookFailures(tx: Tx): Promise<number> {
  const failed = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(isNotNull(webhookDeliveries.failedAt))
    .limit(countedMax)
    .as('failed');
  const [counted] = await tx.select({ count: count() }).from(failed);
  return counted?.count ?? 0;
}
