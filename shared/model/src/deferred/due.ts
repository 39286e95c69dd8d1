import { type Tx, tables } from '@parley/db';
import type { Job } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import { type SweptRealms, isSwept } from '../ids.ts';
import { type Site, realmAt } from '../realms/site.ts';

interface DueSpan {
  now: Date;
  /** How far ahead to look. */
  until: Date;
  realmIds: SweptRealms;
}

/**
 * Returns jobs for what users have due until then: one per user for what is overdue, and one for each moment at which
 * something becomes due; organizations take turns. What users of deactivated organizations have is left out.
 */
export async function listDueJobs(tx: Tx, { now, until, realmIds }: DueSpan, limit: number): Promise<Job[]> {
  const ofRealms = isSwept(sql`realm_id`, realmIds);
  const rows = await tx.execute<{ realm_id: number; user_id: number; due_ms: string }>(sql`
    with due as (
      select realm_id, user_id, due_at from scheduled_messages
        where ${ofRealms} and sent_at is null and failure_message is null and due_at <= ${until.toISOString()}
      union all
      select realm_id, user_id, due_at from reminders where ${ofRealms} and due_at <= ${until.toISOString()}
    )
    select due.realm_id, due.user_id, floor(extract(epoch from min(due_at)) * 1000)::bigint as due_ms
    from due join realms r on r.id = due.realm_id and r.is_active
    group by due.realm_id, due.user_id, case when due_at > ${now.toISOString()} then due_at end
    order by row_number() over (partition by due.realm_id order by min(due_at)), min(due_at) limit ${limit}`);
  return rows.map((row) => ({
    name: 'deliver-due',
    id: row.user_id,
    realmId: row.realm_id,
    dueMs: Number(row.due_ms),
  }));
}

/** What a user has due. */
interface Due {
  realm: Realm;
  hasMessages: boolean;
  hasReminders: boolean;
}

/** Returns what a user of an organization that is not deactivated has due. A node of an older version does not say which. */
export async function findDue(
  tx: Tx,
  site: Site,
  { realmId, userId }: { realmId: number | undefined; userId: number },
  now: Date,
): Promise<Due | undefined> {
  const { realms, users } = tables;
  // Where several servers hold organizations, each part of a statement says which one it is about.
  const ofRealm = sql`m.realm_id = ${realmId ?? users.realmId}`;
  const [row] = await tx
    .select({
      realm: realms,
      hasMessages: sql<boolean>`exists (
        select from scheduled_messages m where ${ofRealm} and m.user_id = ${userId} and m.sent_at is null
          and m.failure_message is null and m.due_at <= ${now.toISOString()})`,
      hasReminders: sql<boolean>`exists (
        select from reminders m where ${ofRealm} and m.user_id = ${userId} and m.due_at <= ${now.toISOString()})`,
    })
    .from(users)
    .innerJoin(realms, and(eq(realms.id, users.realmId), realms.isActive))
    .where(and(realmId === undefined ? undefined : eq(users.realmId, realmId), eq(users.id, userId)));
  const realm = row && realmAt(row.realm, site);
  return realm ? { ...row, realm } : undefined;
}
