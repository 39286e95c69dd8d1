import * as model from '@parley/model';
import { type LanguageTag, mailText, serverLanguageOf } from '@parley/strings';

import type { JobDeps } from '../job.ts';
import type { Mail } from './mailer.ts';

/** Writes the mail that invites somebody, or says that they have an account; null if the invitation has ended. */
export async function writeInvitationMail(
  { engine, secrets: [secret], clock }: JobDeps,
  { realm, realmName, realmLanguage, recipient }: model.mails.WaitingMail,
  invitationId: number,
): Promise<Mail | null> {
  const db = await engine.dbOf(realm.id);
  const found = await model.invitations.findInvitation(db, realm, invitationId);
  if (!model.invitations.isPending(found, new Date(clock.nowMs()))) return null;
  const known = await model.users.findUserByEmail(db, realm.id, recipient);
  const setting = known ? model.users.languageOfUser(known) : realmLanguage;
  const language = serverLanguageOf(setting);
  const { invitation: text } = await mailText(setting);
  if (known) {
    return {
      to: recipient,
      language,
      subject: text.subjectKnown(realmName),
      text: `${text.known(realmName, realm.url)}\n`,
    };
  }
  const { invitation, inviter } = found;
  const isAskedFor = invitation.linkId !== null;
  return {
    to: recipient,
    language,
    subject: isAskedFor ? text.subjectAsked(realmName) : text.subject(inviter.fullName, realmName),
    text: `${isAskedFor ? text.asked(realmName, realm.url) : text.invited(inviter.fullName, realmName, realm.url)}

${invitation.expiresAt ? text.openBy(timeIn(invitation.expiresAt, language)) : text.open}

${model.invitations.invitationUrl(realm, model.invitations.invitationKey(secret, invitationId))}

${text.ignore}
`,
  };
}

/** Nobody knows where the reader is. */
const timeIn = (at: Date, language: LanguageTag) =>
  at.toLocaleString(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });
