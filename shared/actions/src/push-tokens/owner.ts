import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, desc, eq, inArray, ne } from 'drizzle-orm';

import { lockUser } from '../lock.ts';

const { pushTokens } = tables;

/**
 * Locks the account that registers a device: whatever ends the account or its key removes its devices, and none may come
 * after that.
 *
 * @throws UNAUTHORIZED for an account that was deactivated, or whose key was replaced, at this moment
 */
export async function lockOwner(tx: Tx, actor: Actor): Promise<void> {
  const account = await lockUser(tx, actor);
  if (!account.isActive || account.keyGeneration !== actor.keyGeneration) {
    throw new ApiError('UNAUTHORIZED', 'This API key is not valid.');
  }
}

/** Forgets those devices of an account that were registered first, if there are more than `max`: phones, or browsers. */
export async function forgetOldest(
  tx: Tx,
  actor: Actor,
  { areBrowsers, max }: { areBrowsers: boolean; max: number },
): Promise<void> {
  const isKind = areBrowsers ? eq(pushTokens.service, 'web') : ne(pushTokens.service, 'web');
  const tooMany = await tx
    .select({ id: pushTokens.id })
    .from(pushTokens)
    .where(and(isOfUser(pushTokens, actor), isKind))
    .orderBy(desc(pushTokens.registeredAt), desc(pushTokens.id))
    .offset(max);
  if (tooMany.length === 0) return;
  const ids = tooMany.map(({ id }) => id);
  await tx.delete(pushTokens).where(and(isOfUser(pushTokens, actor), inArray(pushTokens.id, ids)));
}
