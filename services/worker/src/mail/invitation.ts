import * as model from '@parley/model';

import type { JobDeps } from '../job.ts';
import type { Mail } from './mailer.ts';

/** Writes the mail that invites somebody, or says that they have an account; null if the invitation has ended. */
export async function writeInvitationMail(
  { engine: { db }, secrets: [secret], clock }: JobDeps,
  { realm, realmName, recipient }: model.mails.WaitingMail,
  invitationId: number,
): Promise<Mail | null> {
  const found = await model.invitations.findInvitation(db, realm, invitationId);
  if (!model.invitations.isPending(found, new Date(clock.nowMs()))) return null;
  if (await model.users.findUserByEmail(db, realm.id, recipient)) {
    return {
      to: recipient,
      subject: `You already have an account at ${realmName}`,
      text: `Somebody asked for an account at ${realmName} with this email address. You already have one: log in at ${realm.url}.
`,
    };
  }
  const { invitation, inviter } = found;
  const isAskedFor = invitation.linkId !== null;
  const until = invitation.expiresAt ? ` by ${invitation.expiresAt.toUTCString()}` : '';
  return {
    to: recipient,
    subject: isAskedFor ? `Join ${realmName}` : `${inviter.fullName} invited you to ${realmName}`,
    text: `${isAskedFor ? 'Somebody, probably you, asked' : `${inviter.fullName} invited you`} to join ${realmName} (${realm.url}).

To create your account, open this link${until}:

${model.invitations.invitationUrl(realm, model.invitations.invitationKey(secret, invitationId))}

If you do not want an account, ignore this email.
`,
  };
}
