import { type Tx, tables } from '@parley/db';
import { mailTimes } from '@parley/protocol';
import { eq, lt, sql } from 'drizzle-orm';

const { emailChanges } = tables;

/** Records an attempt to send a change's mail: until it is known to be sent, it is due again, later each time. */
export async function attemptMail(tx: Tx, id: number, nowMs: number): Promise<void> {
  const waitSeconds = sql`${mailTimes.retryMs / 1000}::int * 2 ^ least(${emailChanges.mailAttempts}, 8)`;
  await tx
    .update(emailChanges)
    .set({
      mailAttempts: sql`${emailChanges.mailAttempts} + 1`,
      mailDueAt: sql`${new Date(nowMs).toISOString()}::timestamptz + ${waitSeconds} * interval '1 second'`,
    })
    .where(eq(emailChanges.id, id));
}

/** Records that a change's mail is sent. */
export async function markMailed(tx: Tx, id: number): Promise<void> {
  await tx.update(emailChanges).set({ mailDueAt: null }).where(eq(emailChanges.id, id));
}

/** Removes changes that can no longer be confirmed. */
export async function removeExpired(tx: Tx, now: Date): Promise<void> {
  await tx.delete(emailChanges).where(lt(emailChanges.expiresAt, now));
}
