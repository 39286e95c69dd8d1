import type * as model from '@parley/model';
import type { MailContent } from '@parley/protocol';

import type { Mail } from './mailer.ts';

/** Writes the mail that greets a new account. */
export const welcomeMail = (
  { realm, realmName, recipient }: model.mails.WaitingMail,
  { fullName }: Extract<MailContent, { kind: 'welcome' }>,
): Mail => ({
  to: recipient,
  subject: `Welcome to ${realmName}`,
  text: `Welcome, ${fullName}! Your account at ${realmName} is ready.

To log in, go to ${realm.url}, or enter that address in an app. Your email address there is ${recipient}.
`,
});
