import type { Tx } from '@parley/db';
import { presenceTimes } from '@parley/protocol';
import { sql } from 'drizzle-orm';

/** Postpones due notifications of users who are active, and may still read what they are about. */
export async function postpone(tx: Tx, now: Date): Promise<void> {
  await tx.execute(sql`
    update pending_notifications n set due_at = p.active_at + make_interval(secs => ${presenceTimes.offlineThreshold})
    from presences p
    where n.due_at <= ${now.toISOString()}::timestamptz and n.waits_for_absence and p.realm_id = n.realm_id and p.user_id = n.user_id
      and p.active_at > ${now.toISOString()}::timestamptz - make_interval(secs => ${presenceTimes.offlineThreshold})`);
}

/** Removes notifications for which it is too late, and forgets messages that were pushed long ago. */
export async function removeExpired(tx: Tx, now: Date, pushedBefore: Date): Promise<void> {
  await tx.execute(
    sql`delete from pending_notifications where expires_at < ${now.toISOString()}::timestamptz`,
  );
  await tx.execute(
    sql`delete from pushed_messages where pushed_at < ${pushedBefore.toISOString()}::timestamptz`,
  );
}
