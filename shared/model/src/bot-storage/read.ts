import { type Tx, tables } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, asc, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';

/**
 * Returns what an account has stored: the values of these keys, or of all, by key.
 *
 * @throws BAD_REQUEST for a key that it has not stored
 */
export async function readStorage(
  tx: Tx,
  account: Pick<Actor, 'id' | 'realm'>,
  keys: readonly string[] | null,
): Promise<Record<string, string>> {
  const { botStorage } = tables;
  if (keys?.length === 0) return {};
  const isAsked = keys ? inArray(botStorage.key, [...new Set(keys)]) : undefined;
  const rows = await tx
    .select({ key: botStorage.key, value: botStorage.value })
    .from(botStorage)
    .where(and(isOfUser(botStorage, account), isAsked))
    .orderBy(asc(botStorage.key));
  if (keys && rows.length < new Set(keys).size)
    throw new ApiError('BAD_REQUEST', 'Nothing is stored under this key.');
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}
