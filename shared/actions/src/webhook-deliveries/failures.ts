import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, webhookTimes } from '@parley/protocol';
import { and, eq, isNotNull, lt } from 'drizzle-orm';

const { webhookDeliveries } = tables;

/** An administrator of a realm, or whoever runs the server in the role of one. */
type Administrator = Pick<Actor, 'role'> & { realm: Pick<Actor['realm'], 'id'> };

const isFailureOf = ({ realm }: Administrator, id: number) =>
  and(
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.realmId, realm.id),
    isNotNull(webhookDeliveries.failedAt),
  );

const unknown = () => new ApiError('BAD_REQUEST', 'There is no such failed message.');

/**
 * Has a delivery that failed tried again, like one that was triggered just now.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a failure that does not exist, or of a bot that is not in use
 */
export async function replay(
  tx: Tx,
  { actor, id, nowMs }: { actor: Administrator; id: number; nowMs: number },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const [replayed] = await tx
    .update(webhookDeliveries)
    .set({ queuedAt: new Date(nowMs), attempts: 0, retryAt: null, failedAt: null, failure: null })
    .where(isFailureOf(actor, id))
    .returning();
  if (!replayed) throw unknown();
  const [bot] = await model.users.listUsers(tx, actor.realm.id, [replayed.botId]);
  if (!bot?.isActive) throw new ApiError('BAD_REQUEST', 'This bot is deactivated.');
  return { events: [], jobs: [{ name: 'deliver-webhook', id, realmId: actor.realm.id }] };
}
replay.actionName = 'webhookDeliveries.replay' as const;

/**
 * Forgets a delivery that failed.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a failure that does not exist
 */
export async function drop(
  tx: Tx,
  { actor, id }: { actor: Administrator; id: number },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const [dropped] = await tx.delete(webhookDeliveries).where(isFailureOf(actor, id)).returning();
  if (!dropped) throw unknown();
  return { events: [] };
}
drop.actionName = 'webhookDeliveries.drop' as const;

/** Forgets failures that are too old to be tried again. */
export async function removeExpired(tx: Tx, now: Date, realmIds: model.SweptRealms): Promise<void> {
  const before = new Date(now.getTime() - webhookTimes.keptMs);
  await tx
    .delete(webhookDeliveries)
    .where(and(lt(webhookDeliveries.failedAt, before), model.isSwept(webhookDeliveries.realmId, realmIds)));
}
