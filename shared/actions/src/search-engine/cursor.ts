import { randomBytes } from 'node:crypto';

import { type Tx, tables } from '@parley/db';
import { type SweptRealms, isSwept } from '@parley/model';
import { type SQL, and, eq, notInArray, sql } from 'drizzle-orm';

const { searchEngineCursors: cursors } = tables;

export type EngineCursor = typeof cursors.$inferSelect;

/** How far the engine is after a step. */
export type Advance = Pick<EngineCursor, 'seq' | 'messageId' | 'filledFrom'>;

/** A condition that only holds as long as nobody else has moved a cursor. */
const isUnmoved = ({ realmId, generation, seq, messageId, filledFrom }: EngineCursor): SQL | undefined =>
  and(
    eq(cursors.realmId, realmId),
    eq(cursors.generation, generation),
    eq(cursors.seq, seq),
    eq(cursors.messageId, messageId),
    eq(cursors.filledFrom, filledFrom),
  );

/**
 * Begins to feed an index with a realm, under a new generation: with what happens from now on, and then with what is older,
 * towards the oldest. Does nothing if somebody else has begun since the generation `stale`.
 */
export async function begin(
  db: Tx,
  { realmId, index, stale }: { realmId: number; index: string; stale: string | null },
): Promise<void> {
  const generation = randomBytes(9).toString('hex');
  await db.execute(sql`
    insert into search_engine_cursors (realm_id, index_name, generation, epoch, seq, message_id, filled_from)
    select realm_id, ${index}, ${generation}, epoch, seq, message_id, message_id + 1 from realm_heads where realm_id = ${realmId}
    on conflict (realm_id) do update set index_name = excluded.index_name, generation = excluded.generation,
      epoch = excluded.epoch, seq = excluded.seq, message_id = excluded.message_id, filled_from = excluded.filled_from,
      attempts = 0, retry_at = null
    where search_engine_cursors.generation = ${stale}`);
}

/** Records that the engine has a step. Whoever did the same meanwhile has recorded it, and a step is written twice in vain. */
export async function advance(db: Tx, cursor: EngineCursor, to: Advance): Promise<void> {
  await db
    .update(cursors)
    .set({ ...to, attempts: 0, retryAt: null })
    .where(isUnmoved(cursor));
}

/** Has a realm tried again later. */
export async function postpone(db: Tx, cursor: EngineCursor, retryAt: Date): Promise<void> {
  const attempts = Math.min(cursor.attempts + 1, 20);
  await db.update(cursors).set({ attempts, retryAt }).where(isUnmoved(cursor));
}

/** Has realms begun anew: one, or all. Returns how many. */
export async function forget(db: Tx, realmId?: number): Promise<number> {
  const rows = await db
    .delete(cursors)
    .where(realmId === undefined ? undefined : eq(cursors.realmId, realmId))
    .returning({ id: cursors.realmId });
  return rows.length;
}

/** Has some realms, or all, begun anew whose index is none of these. Returns how many. */
export async function forgetOtherIndexes(
  db: Tx,
  indexes: readonly string[],
  realmIds: SweptRealms,
): Promise<number> {
  const isOther = indexes.length === 0 ? undefined : notInArray(cursors.index, [...indexes]);
  const rows = await db
    .delete(cursors)
    .where(and(isOther, isSwept(cursors.realmId, realmIds)))
    .returning({ id: cursors.realmId });
  return rows.length;
}
