import { type Tx, tables } from '@parley/db';
import { type SweptRealms, hasId, isSwept } from '@parley/model';
import { mailTimes } from '@parley/protocol';
import { and, lt, sql } from 'drizzle-orm';

const { mails } = tables;

interface MailId {
  realmId: number;
  id: number;
}

/** Records an attempt to send a mail: until it is known to be sent, it is due again, later each time. */
export async function attempt(tx: Tx, { realmId, id }: MailId, nowMs: number): Promise<void> {
  const waitSeconds = sql`${mailTimes.retryMs / 1000}::int * 2 ^ least(${mails.attempts}, 8)`;
  await tx
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      dueAt: sql`(${new Date(nowMs).toISOString()}::timestamp + ${waitSeconds} * interval '1 second') at time zone 'UTC'`,
    })
    .where(hasId(mails, { id: realmId }, id));
}

/** Removes a mail that is sent, or about something that is no more. */
export async function remove(tx: Tx, { realmId, id }: MailId): Promise<void> {
  await tx.delete(mails).where(hasId(mails, { id: realmId }, id));
}

/** Removes mails that are too old to be sent. */
export async function removeExpired(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx.delete(mails).where(and(lt(mails.expiresAt, now), isSwept(mails.realmId, realmIds)));
}
