import { messages } from '@parley/domain';

import type { RecurringJob } from './job.ts';

/** Keeps the archive of deleted messages at its month. */
export const trimArchiveJob: RecurringJob = {
  name: 'trim-archive',
  everySeconds: 3600,
  run: ({ sql }) => messages.trimArchive(sql),
};
