import type { InvitationRow, Tx } from '@parley/db';
import { type Job, mailTimes } from '@parley/protocol';

import { add as addMails } from '../mails/index.ts';

/** Records the mails of invitations, and returns the jobs that send them. */
export async function mailInvitations(tx: Tx, rows: InvitationRow[], nowMs: number): Promise<Job[]> {
  const mails = rows.flatMap(({ id, realmId, email, expiresAt }) => {
    const validMs = expiresAt ? expiresAt.getTime() - nowMs : mailTimes.newsMs;
    const content = { kind: 'invitation', invitationId: id } as const;
    const isWorthwhile = email !== null && validMs > 0;
    return isWorthwhile
      ? [{ realm: { id: realmId }, recipient: email, content, validMs: Math.min(validMs, mailTimes.newsMs) }]
      : [];
  });
  return await addMails(tx, mails, nowMs);
}
