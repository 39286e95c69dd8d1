import { trimLogs } from '@parley/log';

import type { RecurringJob } from '../job.ts';

/** Deletes entries from the log table after an hour. */
export const trimLogJob: RecurringJob = {
  name: 'trim-log',
  everySeconds: 60,
  run: ({ engine }) => trimLogs((work) => engine.sweep(work)),
};
