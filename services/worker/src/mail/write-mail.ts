import type * as model from '@parley/model';

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
  return content.kind === 'welcome' ? welcomeMail(waiting, content) : emailChangedMail(waiting, content);
}
