import * as model from '@parley/model';

import type { JobDeps } from '../jobs/job.ts';
import type { Mail } from './mailer.ts';

/** The mail that invites somebody, or tells them that they have an account; null if the invitation has ended. */
export async function writeInvitationMail(
  { engine: { db }, secret, clock }: JobDeps,
  { realm, realmName, recipient }: model.mails.WaitingMail,
  invitationId: number,
): Promise<Mail | null> {
  const found = await model.invitations.findInvitation(db, realm, invitationId);
  if (!model.invitations.isPending(found, new Date(clock.nowMs()))) return null;
  if (await model.users.findUserByEmail(db, realm.id, recipient)) {
    return {
      to: recipient,
      subject: `You have an account of ${realmName}`,
      text: `Somebody asked for an account of ${realmName} with this address. It has one: log in at ${realm.url}.
`,
    };
  }
  const { invitation, inviter } = found;
  const isAskedFor = invitation.linkId !== null;
  const until = invitation.expiresAt ? ` until ${invitation.expiresAt.toUTCString()}` : '';
  return {
    to: recipient,
    subject: isAskedFor ? `Join ${realmName}` : `${inviter.fullName} has invited you to ${realmName}`,
    text: `${isAskedFor ? 'Somebody, probably you, asked' : `${inviter.fullName} asks you`} to join ${realmName} (${realm.url}).

To make your account, open this link${until}:

${model.invitations.invitationUrl(realm, model.invitations.invitationKey(secret, invitationId))}

If you do not want one, do nothing.
`,
  };
}
