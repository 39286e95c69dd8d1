import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import { type ActionResult, ApiError, limits } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { lockUser } from '../lock.ts';

const { botStorage } = tables;

/**
 * Stores texts by key for the actor, in place of those that the keys have. No client is told.
 *
 * @throws BAD_REQUEST for more than an account may store
 */
export async function put(
  tx: Tx,
  { actor, entries }: { actor: Actor; entries: readonly (readonly [key: string, value: string])[] },
): Promise<ActionResult> {
  await lockUser(tx, actor);
  const rows = entries.map(([key, value]) => ({
    realmId: actor.realm.id,
    userId: actor.id,
    key,
    value,
    characters: [...key].length + [...value].length,
    bytes: Buffer.byteLength(JSON.stringify([key, value])),
  }));
  if (rows.length > 0) {
    await tx
      .insert(botStorage)
      .values(rows)
      .onConflictDoUpdate({
        target: [botStorage.realmId, botStorage.userId, botStorage.key],
        set: {
          value: sql`excluded.value`,
          characters: sql`excluded.characters`,
          bytes: sql`excluded.bytes`,
        },
      });
    await assertWithinLimits(tx, actor);
  }
  return { events: [] };
}
put.actionName = 'botStorage.put' as const;

async function assertWithinLimits(tx: Tx, actor: Actor): Promise<void> {
  const [total] = await tx
    .select({
      keys: sql<number>`count(*)::int`,
      characters: sql<number>`sum(${botStorage.characters})::int`,
      bytes: sql<number>`sum(${botStorage.bytes})::int`,
    })
    .from(botStorage)
    .where(isOfUser(botStorage, actor));
  if (!total) throw new Error('A count returned no row.');
  const { storedKeys, storedCharacters, storedBytes } = limits;
  if (total.characters > storedCharacters) {
    const excess = total.characters - storedCharacters;
    throw new ApiError(
      'BAD_REQUEST',
      `A bot can store at most ${storedCharacters} characters. This request goes ${excess} over that limit.`,
    );
  }
  if (total.keys > storedKeys)
    throw new ApiError('BAD_REQUEST', `A bot can store at most ${storedKeys} keys.`);
  if (total.bytes > storedBytes) {
    throw new ApiError('BAD_REQUEST', `A bot can store at most ${storedBytes} bytes.`);
  }
}
