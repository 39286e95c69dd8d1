import type * as model from '@parley/model';
import type { MailContent } from '@parley/protocol';
import { mailText, serverLanguageOf } from '@parley/strings';

import type { Mail } from './mailer.ts';

/** Writes the mail that goes to the former address of an account, and names the new one. */
export async function emailChangedMail(
  { realm, realmName, recipient }: model.mails.WaitingMail,
  { fullName, newEmail }: Extract<MailContent, { kind: 'email-changed' }>,
  language: string,
): Promise<Mail> {
  const { hello, emailChanged: text } = await mailText(language);
  return {
    to: recipient,
    language: serverLanguageOf(language),
    subject: text.subject(realmName),
    text: `${hello(fullName)}

${text.changed(realmName, realm.url, newEmail)}

${text.alarm(realmName)}
`,
  };
}
