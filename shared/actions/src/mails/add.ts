import { type Tx, tables } from '@parley/db';
import { type Job, type MailContent, mailTimes } from '@parley/protocol';

interface NewMail {
  realm: { id: number };
  recipient: string;
  content: MailContent;
  /** For how long it is worth sending. */
  validMs?: number;
  /** When it is sent by the sweep that its job has not sent. */
  retryMs?: number;
}

/** Records mails that are to be sent, and returns the jobs that send them. */
export async function add(tx: Tx, mails: readonly NewMail[], nowMs: number): Promise<Job[]> {
  if (mails.length === 0) return [];
  const rows = await tx
    .insert(tables.mails)
    .values(
      mails.map(({ realm, recipient, content, validMs = mailTimes.newsMs, retryMs = mailTimes.retryMs }) => ({
        realmId: realm.id,
        recipient,
        content,
        dueAt: new Date(nowMs + retryMs),
        expiresAt: new Date(nowMs + validMs),
      })),
    )
    .returning({ id: tables.mails.id, realmId: tables.mails.realmId });
  return rows.map(({ id, realmId }) => ({ name: 'send-mail', id, realmId }));
}
