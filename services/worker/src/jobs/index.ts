import { channelActivityJob } from './channel-activity.ts';
import { expireUploadsJob } from './expire-uploads.ts';
import type { RecurringJob } from './job.ts';
import { sweepFilesJob } from './sweep-files.ts';
import { trimArchiveJob } from './trim-archive.ts';
import { trimLogJob } from './trim-log.ts';

export type { JobNeeds, RecurringJob } from './job.ts';

export const recurringJobs: readonly RecurringJob[] = [
  trimLogJob,
  trimArchiveJob,
  expireUploadsJob,
  sweepFilesJob,
  channelActivityJob,
];
