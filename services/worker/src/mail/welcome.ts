import type * as model from '@parley/model';
import type { MailContent } from '@parley/protocol';

import type { Mail } from './mailer.ts';

/** The mail that greets a new account. */
export const welcomeMail = (
  { realm, realmName, recipient }: model.mails.WaitingMail,
  { fullName }: Extract<MailContent, { kind: 'welcome' }>,
): Mail => ({
  to: recipient,
  subject: `Welcome to ${realmName}`,
  text: `Welcome, ${fullName}! You have an account of ${realmName} now.

Its address is ${realm.url}: programs that connect to it ask for that, and for your email address, ${recipient}.
`,
});
