import { type Tx, tables } from '@parley/db';
import { bigintArray, intArray } from '@parley/model';
import * as model from '@parley/model';
import {
  type NotificationKind,
  type DeviceService,
  notificationTimes,
  presenceTimes,
  userSettings,
} from '@parley/protocol';
import { type SQL, eq, sql } from 'drizzle-orm';

import { type News, readNews } from './read-log.ts';

interface Channels {
  /** Whether mails are sent. */
  canMail: boolean;
  /** The push services that the server is set up for. */
  services: ReadonlySet<DeviceService>;
}

export interface Portion {
  realmId: number;
  /** The most entries that are read, and for how long each statement may run. */
  entriesMax: number;
  seconds: number;
}

/** Notifications that are to be sent at once. */
type Due = model.notifications.DueNotification[];

/** The most of them that a portion names. Those beyond are due all the same, and found by that. */
const dueMax = 500;

export interface Advanced {
  due: Due;
  /** Whether there is more to decide. */
  hasMore: boolean;
}

/**
 * Decides whom to notify of what a realm's log says after the realm's cursor, records that, and moves the cursor, all in
 * one transaction: nothing is lost, and nothing decided twice. Two that run at once do not wait for each other.
 */
export async function advance(
  db: Tx,
  { realmId, entriesMax, seconds: secondsMax }: Portion,
  channels: Channels,
  now: Date,
): Promise<Advanced> {
  const { notificationCursors: cursors, realmHeads: heads } = tables;
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${`${secondsMax}s`}, true)`);
    const [cursor] = await tx
      .select()
      .from(cursors)
      .where(eq(cursors.realmId, realmId))
      .for('update', { skipLocked: true });
    if (!cursor) {
      await begin(tx, realmId);
      return { due: [], hasMore: false };
    }
    const [{ headSeq } = { headSeq: 0 }] = await tx
      .select({ headSeq: heads.seq })
      .from(heads)
      .where(eq(heads.realmId, realmId));
    if (cursor.seq >= headSeq) return { due: [], hasMore: false };
    const news = await readNews(tx, cursor, headSeq, entriesMax);
    const wanted = await record(tx, realmId, news.messageIds, channels, now);
    const removals = await removePushed(tx, realmId, news, now);
    const { seq, messageId } = news.cursor;
    await tx.update(cursors).set({ seq, messageId }).where(eq(cursors.realmId, realmId));
    return { due: [...wanted, ...removals].slice(0, dueMax), hasMore: news.cursor.seq < headSeq };
  });
}

/** Begins at the end of the log, if nobody has begun. */
async function begin(tx: Tx, realmId: number): Promise<void> {
  await tx.execute(sql`
    insert into notification_cursors (realm_id, seq, message_id)
    select realm_id, seq, message_id from realm_heads where realm_id = ${realmId}
    on conflict do nothing`);
}

const seconds = (count: number) => sql`make_interval(secs => ${count})`;

/**
 * Records who is to be notified of messages, and when: by mail a while later, so that a mail tells of all that came
 * meanwhile; on phones at once. Whoever is active is given the time to read first. Answers with those that are due.
 */
async function record(
  tx: Tx,
  realmId: number,
  messageIds: number[],
  { canMail, services }: Channels,
  now: Date,
): Promise<Due> {
  if (messageIds.length === 0 || (!canMail && services.size === 0)) return [];
  const { default: period } = userSettings.email_notifications_batching_period_seconds;
  const { default: isPushedOnline } = userSettings.enable_online_push_notifications;
  const recording = sql`
    insert into pending_notifications (
      realm_id, user_id, message_id, kind, conversation_id, topic_id, due_at, expires_at, waits_for_absence
    )
    select ${realmId}::int, w.user_id, w.message_id, n.kind, w.conversation_id, w.topic_id, n.due_at,
      n.due_at + n.valid, n.waits
    from ${model.notifications.wantedNotifications({ realmId, messageIds, now })} w
    cross join lateral (select ${now.toISOString()}::timestamptz as now_at) t
    left join presences pr on pr.realm_id = ${realmId}::int and pr.user_id = w.user_id
      and pr.active_at > t.now_at - ${seconds(presenceTimes.offlineThreshold)}
    cross join lateral (select
      coalesce((w.settings ->> 'email_notifications_batching_period_seconds')::int, ${period}) as period,
      pr.user_id is not null as is_active,
      pr.user_id is not null
        and not coalesce((w.settings ->> 'enable_online_push_notifications')::boolean, ${isPushedOnline}) as waits,
      coalesce(pr.active_at + ${seconds(presenceTimes.offlineThreshold)}, t.now_at) as away_at
    ) s
    cross join lateral (
      select 'mail' as kind, ${seconds(notificationTimes.mailMs / 1000)} as valid, s.is_active as waits,
        -- A mail that waits already takes the message along.
        least(s.away_at + make_interval(secs => s.period), (
          select min(due_at) from pending_notifications e
          where e.realm_id = ${realmId}::int and e.user_id = w.user_id and e.kind = 'mail' and e.mail_id is null
            and e.conversation_id = w.conversation_id and e.topic_id is not distinct from w.topic_id
        )) as due_at
        where w.mail and ${canMail}
      union all
      select 'push', ${seconds(notificationTimes.pushMs / 1000)}, s.waits,
        case when s.waits then s.away_at else t.now_at end
        where w.push and exists (
          select from push_tokens d where d.realm_id = ${realmId}::int and d.user_id = w.user_id and d.service = any(${`{${[...services].join(',')}}`}::text[])
        )
    ) n
    order by w.message_id
    on conflict do nothing`;
  return await listRecorded(tx, realmId, sql`recorded as (${recording} returning *)`, now);
}

/**
 * Runs what records notifications, a relation `recorded` with what it needs before it, and answers with those that are
 * due: what goes together into one mail, or off a user's phones, is one.
 */
async function listRecorded(tx: Tx, realmId: number, recorded: SQL, now: Date): Promise<Due> {
  const rows = await tx.execute<{ id: number; kind: NotificationKind }>(sql`
    with ${recorded}
    select min(id)::int8 as id, kind from recorded where due_at <= ${now.toISOString()}::timestamptz
    group by user_id, kind, case when kind = 'push' then message_id end, conversation_id, topic_id
    order by min(id) limit ${dueMax}`);
  return rows.map(({ id, kind }) => ({ id: Number(id), realmId, kind }));
}

/** Records that phones are to show no more what was read or deleted since it was pushed, and answers as `record` does. */
async function removePushed(
  tx: Tx,
  realmId: number,
  { readerIds, deletedIds }: News,
  now: Date,
): Promise<Due> {
  // One after the other: each has an index.
  const concerned =
    readerIds === null
      ? [sql`p.realm_id = ${realmId}`]
      : [
          ...(readerIds.length > 0
            ? [sql`p.realm_id = ${realmId} and p.user_id = any(${intArray(readerIds)})`]
            : []),
          ...(deletedIds.length > 0
            ? [sql`p.realm_id = ${realmId} and p.message_id = any(${bigintArray(deletedIds)})`]
            : []),
        ];
  const due: Due = [];
  for (const isConcerned of concerned) {
    const removing = sql`
      delete from pushed_messages p
      where ${isConcerned} and not exists (
        select from messages m
        join conversation_members c on c.realm_id = m.realm_id and c.conversation_id = m.conversation_id and c.user_id = p.user_id
        where m.realm_id = p.realm_id and m.id = p.message_id and ${model.messages.messageUnreadCondition({ id: sql`p.user_id` })}
      )
      returning p.user_id, p.message_id`;
    const recording = sql`
      insert into pending_notifications (realm_id, user_id, message_id, kind, due_at, expires_at)
      select ${realmId}::int, user_id, message_id, 'removal', t.now_at,
        t.now_at + ${seconds(notificationTimes.pushMs / 1000)}
      from removed cross join (select ${now.toISOString()}::timestamptz as now_at) t
      on conflict do nothing
      returning *`;
    due.push(
      ...(await listRecorded(tx, realmId, sql`removed as (${removing}), recorded as (${recording})`, now)),
    );
  }
  return due;
}
