import type * as model from '@parley/model';
import type { MailContent } from '@parley/protocol';

import type { Mail } from './mailer.ts';

/** The mail that tells the address that an account had of the one that it has now. */
export const emailChangedMail = (
  { realm, realmName, recipient }: model.mails.WaitingMail,
  { fullName, newEmail }: Extract<MailContent, { kind: 'email-changed' }>,
): Mail => ({
  to: recipient,
  subject: `The email address of your account of ${realmName} has changed`,
  text: `The account of ${fullName} at ${realmName} (${realm.url}) has another email address: ${newEmail}.
From now on one logs in with it, and mails go there.

If you did not want this, write to an administrator of ${realmName} at once.
`,
});
