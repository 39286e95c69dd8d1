import type { WaitingMail } from '@parley/model';

import { emailChangedMail } from './email-changed.ts';
import type { Mail } from './mailer.ts';

/** A mail as it is sent. */
export function writeMail(waiting: WaitingMail): Mail {
  return emailChangedMail(waiting, waiting.content);
}
