import type * as model from '@parley/model';
import type { MailContent } from '@parley/protocol';
import { mailText, serverLanguageOf } from '@parley/strings';

import type { Mail } from './mailer.ts';

/** Writes the mail that greets a new account. */
export async function welcomeMail(
  { realm, realmName, recipient }: model.mails.WaitingMail,
  { fullName }: Extract<MailContent, { kind: 'welcome' }>,
  language: string,
): Promise<Mail> {
  const { welcome: text } = await mailText(language);
  return {
    to: recipient,
    language: serverLanguageOf(language),
    subject: text.subject(realmName),
    text: `${text.ready(fullName, realmName)}

${text.logIn(realm.url, recipient)}
`,
  };
}
