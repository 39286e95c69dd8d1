import type { Tx } from '@parley/db';
import type { NotificationKind } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { dueByRealm } from '../due-by-realm.ts';
import { type SweptRealms, isSwept } from '../ids.ts';

/** A notification, by one of its rows. */
export interface DueNotification {
  id: number;
  realmId: number;
  kind: NotificationKind;
}

/**
 * Realms whose logs have gone on since it was last decided whom to notify: at most `max`, any of them, so that each has
 * its turn wherever there are more.
 */
export async function listRealmsWithNews(tx: Tx, max: number, realmIds: SweptRealms): Promise<number[]> {
  const rows = await tx.execute<{ realm_id: number }>(sql`
    select h.realm_id from realm_heads h
    left join notification_cursors c on c.realm_id = h.realm_id and ${isSwept(sql`c.realm_id`, realmIds)}
    where ${isSwept(sql`h.realm_id`, realmIds)} and (c.realm_id is null or c.seq < h.seq) order by random() limit ${max}`);
  return rows.map(({ realm_id }) => realm_id);
}

/**
 * Returns due notifications, each by one of its rows: those of a mail, and those that remove what was pushed, are one.
 * Realms take turns.
 */
export async function listDueNotifications(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  rowsMax: number,
): Promise<DueNotification[]> {
  const rows = await tx.execute<{ id: number; realm_id: number; kind: NotificationKind }>(sql`
    select min(id)::int8 as id, realm_id, kind from ${dueByRealm({
      table: sql`pending_notifications`,
      dueAt: sql`due_at`,
      now,
      realmIds,
      limit: rowsMax,
    })} due
    group by realm_id, user_id, kind, case when kind = 'push' then message_id end, mail_id,
      case when kind = 'mail' then conversation_id end, case when kind = 'mail' then topic_id end
    order by min(place), min(id)`);
  return rows.map((row) => ({ id: Number(row.id), realmId: row.realm_id, kind: row.kind }));
}
