import { type Tx, tables } from '@parley/db';
import { mailTimes } from '@parley/protocol';
import { eq, lt, sql } from 'drizzle-orm';

const { mails } = tables;

/** Records an attempt to send a mail: until it is known to be sent, it is due again, later each time. */
export async function attempt(tx: Tx, id: number, nowMs: number): Promise<void> {
  const waitSeconds = sql`${mailTimes.retryMs / 1000}::int * 2 ^ least(${mails.attempts}, 8)`;
  await tx
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      dueAt: sql`${new Date(nowMs).toISOString()}::timestamptz + ${waitSeconds} * interval '1 second'`,
    })
    .where(eq(mails.id, id));
}

/** Removes a mail that is sent, or about something that is no more. */
export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.delete(mails).where(eq(mails.id, id));
}

/** Removes mails that are too old to be sent. */
export async function removeExpired(tx: Tx, now: Date): Promise<void> {
  await tx.delete(mails).where(lt(mails.expiresAt, now));
}
