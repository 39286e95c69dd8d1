import * as model from '@parley/model';
import { mailTimes } from '@parley/protocol';

import type { JobDeps } from '../job.ts';
import type { Mail } from './mailer.ts';

/**
 * Writes the mail with which somebody sets a new password, or is told who can let them in again; null if nobody has the
 * address. It goes to the address that the account has: what was entered may only look like it.
 */
export async function writePasswordResetMail(
  { engine: { db }, secrets: [secret], clock }: JobDeps,
  { realm, realmName, recipient }: model.mails.WaitingMail,
): Promise<Mail | null> {
  const user = await model.users.findUserByEmail(db, realm.id, recipient);
  if (!user || user.botType !== null) return null;
  const to = user.email;
  const asked = `Somebody, probably you, asked for a new password for your account at ${realmName} (${realm.url}).`;
  const subject = `Your password at ${realmName}`;
  if (!user.isActive) {
    return {
      to,
      subject,
      text: `Hello ${user.fullName},

${asked}
Your account is deactivated. To use it again, ask an administrator of ${realmName}.
`,
    };
  }
  const key = model.users.passwordResetKey(secret, user, clock.nowMs() + mailTimes.resetMs);
  return {
    to,
    subject,
    text: `Hello ${user.fullName},

${asked}

To choose a new password, open this link within an hour:

${realm.url}${model.users.passwordResetPath}/${key}/

The link works once. You will be logged out everywhere, and your API key will change.
If you did not ask for this, ignore this email: your password stays as it is.
`,
  };
}
