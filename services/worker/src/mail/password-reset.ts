import * as model from '@parley/model';
import { mailTimes } from '@parley/protocol';
import { mailText, serverLanguageOf } from '@parley/strings';

import type { JobDeps } from '../job.ts';
import type { Mail } from './mailer.ts';

/**
 * Writes the mail with which somebody sets a new password, or is told who can let them in again; null if nobody has the
 * address. It goes to the address that the account has: what was entered may only look like it.
 */
export async function writePasswordResetMail(
  { engine, secrets: [secret], clock }: JobDeps,
  { realm, realmName, recipient }: model.mails.WaitingMail,
): Promise<Mail | null> {
  const db = await engine.dbOf(realm.id);
  const user = await model.users.findUserByEmail(db, realm.id, recipient);
  if (!user || user.botType !== null) return null;
  const setting = model.users.languageOfUser(user);
  const { hello, passwordReset: text } = await mailText(setting);
  const head = {
    to: user.email,
    language: serverLanguageOf(setting),
    subject: text.subject(realmName),
  };
  const asked = text.asked(realmName, realm.url);
  if (!user.isActive) {
    return {
      ...head,
      text: `${hello(user.fullName)}

${asked}

${text.deactivated(realmName)}
`,
    };
  }
  const key = model.users.passwordResetKey(secret, user, clock.nowMs() + mailTimes.resetMs);
  return {
    ...head,
    text: `${hello(user.fullName)}

${asked}

${text.open}

${realm.url}${model.users.passwordResetPath}/${key}/

${text.once}
${text.ignore}
`,
  };
}
