import type { OnDemandJob } from '../job.ts';
import { sendMailJob } from './send-mail.ts';

/**
 * Sends a mail about a forgotten password. It has a name of its own, because workers of earlier versions would write
 * another mail.
 */
export const resetPasswordJob: OnDemandJob = { ...sendMailJob, name: 'reset-password' };
