import * as model from '@parley/model';

import type { JobDeps } from '../job.ts';
import { writeDigestMail } from './digest.ts';
import { emailChangedMail } from './email-changed.ts';
import { writeInvitationMail } from './invitation.ts';
import type { Mail } from './mailer.ts';
import { writePasswordResetMail } from './password-reset.ts';
import { welcomeMail } from './welcome.ts';

/** Returns a mail as it is sent; null if it is about something that is no more. */
export async function writeMail(deps: JobDeps, waiting: model.mails.WaitingMail): Promise<Mail | null> {
  const { content } = waiting;
  if (content.kind === 'invitation') return await writeInvitationMail(deps, waiting, content.invitationId);
  if (content.kind === 'digest') return await writeDigestMail(deps, waiting, content.userId);
  if (content.kind === 'password-reset') return await writePasswordResetMail(deps, waiting);
  return content.kind === 'welcome'
    ? await welcomeMail(waiting, content, await languageAt(deps, waiting, waiting.recipient))
    : await emailChangedMail(waiting, content, await languageAt(deps, waiting, content.newEmail));
}

/** The language of the account that has an address now; that of the organization if none has it. */
async function languageAt(
  { engine }: JobDeps,
  { realm, realmLanguage }: model.mails.WaitingMail,
  email: string,
): Promise<string> {
  const user = await model.users.findUserByEmail(await engine.dbOf(realm.id), realm.id, email);
  return user ? model.users.languageOfUser(user) : realmLanguage;
}
