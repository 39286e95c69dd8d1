import type { Tx } from '@parley/db';
import { type SweptRealms, isSwept } from '@parley/model';
import { presenceTimes } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { laterBy } from './later-by.ts';

/** Postpones due notifications of users who are active, and may still read what they are about. */
export async function postpone(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx.execute(sql`
    update pending_notifications n set due_at = ${laterBy(sql`p.active_at`, sql`make_interval(secs => ${presenceTimes.offlineThreshold})`)}
    from presences p
    where ${isSwept(sql`n.realm_id`, realmIds)} and ${isSwept(sql`p.realm_id`, realmIds)}
      and n.due_at <= ${now.toISOString()}::timestamptz and n.waits_for_absence and p.realm_id = n.realm_id and p.user_id = n.user_id
      and p.active_at > ${now.toISOString()}::timestamptz - make_interval(secs => ${presenceTimes.offlineThreshold})`);
}

/** Removes notifications for which it is too late, and forgets messages that were pushed long ago. */
export async function removeExpired(
  tx: Tx,
  now: Date,
  { pushedBefore, realmIds }: { pushedBefore: Date; realmIds: SweptRealms },
): Promise<void> {
  await tx.execute(
    sql`delete from pending_notifications where ${isSwept(sql`realm_id`, realmIds)} and expires_at < ${now.toISOString()}::timestamptz`,
  );
  await tx.execute(
    sql`delete from pushed_messages where ${isSwept(sql`realm_id`, realmIds)} and pushed_at < ${pushedBefore.toISOString()}::timestamptz`,
  );
}
