import type { Tx } from '@parley/db';
import type { NotificationKind } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { dueByRealm } from '../due-by-realm.ts';

/**
 * Realms whose logs have gone on since it was last decided whom to notify: at most `max`, any of them, so that each has
 * its turn wherever there are more.
 */
export async function listRealmsWithNews(tx: Tx, max: number): Promise<number[]> {
  const rows = await tx.execute<{ realm_id: number }>(sql`
    select h.realm_id from realm_heads h
    left join notification_cursors c on c.realm_id = h.realm_id
    where c.realm_id is null or c.seq < h.seq order by random() limit ${max}`);
  return rows.map(({ realm_id }) => realm_id);
}

/**
 * Returns due notifications, each by one of its rows: those of a mail, and those that remove what was pushed, are one.
 * Realms take turns.
 */
export async function listDueNotifications(
  tx: Tx,
  now: Date,
  rowsMax: number,
): Promise<{ id: number; kind: NotificationKind }[]> {
  const rows = await tx.execute<{ id: number; kind: NotificationKind }>(sql`
    select min(id)::int8 as id, kind from ${dueByRealm({
      table: sql`pending_notifications`,
      dueAt: sql`due_at`,
      now,
      limit: rowsMax,
    })} due
    group by realm_id, user_id, kind, case when kind = 'push' then message_id end, mail_id,
      case when kind = 'mail' then conversation_id end, case when kind = 'mail' then topic_id end
    order by min(place), min(id)`);
  return rows.map(({ id, kind }) => ({ id: Number(id), kind }));
}
