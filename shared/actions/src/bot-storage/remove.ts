import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { and, inArray } from 'drizzle-orm';

import { lockUser } from '../lock.ts';

/**
 * Removes what the actor has stored by these keys, or by all. No client is told.
 *
 * @throws BAD_REQUEST for a key that the actor has not stored
 */
export async function remove(
  tx: Tx,
  { actor, keys }: { actor: Actor; keys: readonly string[] | null },
): Promise<ActionResult> {
  await lockUser(tx, actor);
  const { botStorage } = tables;
  const distinct = keys && [...new Set(keys)];
  const isAsked = distinct ? inArray(botStorage.key, distinct) : undefined;
  const removed = await tx
    .delete(botStorage)
    .where(and(isOfUser(botStorage, actor), isAsked))
    .returning({ key: botStorage.key });
  if (distinct && removed.length < distinct.length)
    throw new ApiError('BAD_REQUEST', 'Nothing is stored under this key.');
  return { events: [] };
}
remove.actionName = 'botStorage.remove' as const;
