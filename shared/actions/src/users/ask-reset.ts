import type { Tx } from '@parley/db';
import { type Realm, parseEmail } from '@parley/model';
import { type ActionResult, mailTimes } from '@parley/protocol';

import { add as addMails } from '../mails/index.ts';

/**
 * Lets somebody be mailed a link with which they set a new password. Whether there is an account is found out when the mail
 * is written, so that neither what is answered nor how long it takes depends on it.
 *
 * @throws BAD_REQUEST for what is no email address
 */
export async function askForReset(
  tx: Tx,
  { realm, email, nowMs }: { realm: Realm; email: string; nowMs: number },
): Promise<Pick<ActionResult, 'jobs'>> {
  const recipient = parseEmail(email, 'Enter a valid email address.');
  const content = { kind: 'password-reset' } as const;
  const mail = { realm, recipient, content, validMs: mailTimes.resetMs, retryMs: mailTimes.resetRetryMs };
  const jobs = await addMails(tx, [mail], nowMs);
  return { jobs: jobs.map((job) => ({ ...job, name: 'reset-password' })) };
}
askForReset.actionName = 'users.askForReset' as const;
