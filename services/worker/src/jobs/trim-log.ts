import { trimLog } from '@parley/log';

import type { RecurringJob } from './job.ts';

/** Keeps the log table at its hour. */
export const trimLogJob: RecurringJob = {
  name: 'trim-log',
  everySeconds: 60,
  run: ({ engine }) => trimLog(engine.sql),
};
