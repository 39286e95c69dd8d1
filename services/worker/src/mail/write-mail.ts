import type { WaitingMail } from '@parley/model';

import type { JobDeps } from '../jobs/job.ts';
import { emailChangedMail } from './email-changed.ts';
import { writeInvitationMail } from './invitation.ts';
import type { Mail } from './mailer.ts';

/** A mail as it is sent; null if it is about something that is no more. */
export async function writeMail(deps: JobDeps, waiting: WaitingMail): Promise<Mail | null> {
  const { content } = waiting;
  return content.kind === 'invitation'
    ? await writeInvitationMail(deps, waiting, content.invitationId)
    : emailChangedMail(waiting, content);
}
