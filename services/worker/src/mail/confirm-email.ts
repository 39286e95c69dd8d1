import type * as model from '@parley/model';
import { mailText, serverLanguageOf } from '@parley/strings';

import type { Mail } from './mailer.ts';

/** Writes the mail that asks somebody to confirm their new email address. */
export async function confirmEmailMail(
  { realm, realmName, fullName, oldEmail, newEmail, language }: model.emailChanges.EmailChangeMail,
  link: string,
): Promise<Mail> {
  const { hello, confirmEmail: text } = await mailText(language);
  return {
    to: newEmail,
    language: serverLanguageOf(language),
    subject: text.subject(realmName),
    text: `${hello(fullName)}

${text.asked(realmName, realm.url, oldEmail, newEmail)}

${text.open}

${link}

${text.ignore}
`,
  };
}
