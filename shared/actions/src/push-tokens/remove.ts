import { type Tx, tables } from '@parley/db';
import { type Actor, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type PushService } from '@parley/protocol';
import { and, eq, lt, lte, sql } from 'drizzle-orm';

import { parseToken } from './parse.ts';

const { pushTokens } = tables;

/**
 * Forgets a device of the actor.
 *
 * @throws BAD_REQUEST for a bot, and for a token that the actor has not registered
 */
export async function remove(
  tx: Tx,
  { actor, ...input }: { actor: Actor; service: PushService; token: string },
): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  const token = parseToken(input.service, input.token);
  const removed = await tx
    .delete(pushTokens)
    .where(
      and(
        eq(pushTokens.realmId, actor.realm.id),
        eq(pushTokens.service, input.service),
        eq(sql`md5(${pushTokens.token})`, sql`md5(${token})`),
        eq(pushTokens.userId, actor.id),
      ),
    )
    .returning({ id: pushTokens.id });
  if (removed.length === 0) throw new ApiError('BAD_REQUEST', 'No device of yours has this token.');
  return { events: [] };
}
remove.actionName = 'pushTokens.remove' as const;

/** Forgets all devices of accounts of a realm. */
export async function removeAll(tx: Tx, realm: { id: number }, userIds: number[]): Promise<void> {
  await tx
    .delete(pushTokens)
    .where(and(eq(pushTokens.realmId, realm.id), isAmong(pushTokens.userId, userIds)));
}

/** Forgets a device that its service does not know any more, unless it was registered again after `knownAt`. */
export async function removeGone(
  tx: Tx,
  { realmId, id, knownAt }: { realmId: number; id: number; knownAt: Date },
): Promise<object> {
  await tx
    .delete(pushTokens)
    .where(
      and(eq(pushTokens.realmId, realmId), eq(pushTokens.id, id), lte(pushTokens.registeredAt, knownAt)),
    );
  return {};
}
removeGone.actionName = 'pushTokens.removeGone' as const;

/** Forgets browsers whose service takes notifications no more. */
export async function removeExpired(tx: Tx, now: Date, realmIds: model.SweptRealms): Promise<void> {
  await tx
    .delete(pushTokens)
    .where(and(lt(pushTokens.expiresAt, now), model.isSwept(pushTokens.realmId, realmIds)));
}
