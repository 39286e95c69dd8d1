import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import { type SweptRealms, isSwept } from '../ids.ts';

/**
 * Returns active realms whose channels' traffic was not measured since then: at most `max`, any of them, so that each has its
 * turn wherever there are more.
 */
export async function listRealmsToMeasure(
  tx: Tx,
  { since, realmIds }: { since: Date; realmIds: SweptRealms },
  max: number,
): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select r.id from realm_heads h join realms r on r.id = h.realm_id
    left join message_count_cursors c on c.realm_id = h.realm_id
    where ${isSwept(sql`h.realm_id`, realmIds)} and r.is_active and (c.measured_at is null or c.measured_at <= ${since.toISOString()}::timestamptz)
    order by random() limit ${max}`);
  return rows.map(({ id }) => id);
}
