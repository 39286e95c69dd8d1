import { type Tx, tables } from '@parley/db';
import { type SweptRealms, hasId, isSwept } from '@parley/model';
import { mailTimes } from '@parley/protocol';
import { and, lt, sql } from 'drizzle-orm';

const { emailChanges } = tables;

interface ChangeId {
  realmId: number;
  id: number;
}

/** Records an attempt to send a change's mail: until it is known to be sent, it is due again, later each time. */
export async function attemptMail(tx: Tx, { realmId, id }: ChangeId, nowMs: number): Promise<void> {
  const waitSeconds = sql`${mailTimes.retryMs / 1000}::int * 2 ^ least(${emailChanges.mailAttempts}, 8)`;
  await tx
    .update(emailChanges)
    .set({
      mailAttempts: sql`${emailChanges.mailAttempts} + 1`,
      mailDueAt: sql`(${new Date(nowMs).toISOString()}::timestamp + ${waitSeconds} * interval '1 second') at time zone 'UTC'`,
    })
    .where(hasId(emailChanges, { id: realmId }, id));
}

/** Records that a change's mail is sent. */
export async function markMailed(tx: Tx, { realmId, id }: ChangeId): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ mailDueAt: null })
    .where(hasId(emailChanges, { id: realmId }, id));
}

/** Removes changes that can no longer be confirmed. */
export async function removeExpired(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx
    .delete(emailChanges)
    .where(and(lt(emailChanges.expiresAt, now), isSwept(emailChanges.realmId, realmIds)));
}
