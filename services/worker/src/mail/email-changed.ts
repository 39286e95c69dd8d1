import type * as model from '@parley/model';
import type { MailContent } from '@parley/protocol';

import type { Mail } from './mailer.ts';

/** Writes the mail that goes to the former address of an account, and names the new one. */
export const emailChangedMail = (
  { realm, realmName, recipient }: model.mails.WaitingMail,
  { fullName, newEmail }: Extract<MailContent, { kind: 'email-changed' }>,
): Mail => ({
  to: recipient,
  subject: `Your email address at ${realmName} has changed`,
  text: `Hello ${fullName},

The email address of your account at ${realmName} (${realm.url}) is now ${newEmail}.
Use it the next time you log in. We will send your email there.

If you did not change it, contact an administrator of ${realmName} right away.
`,
});
