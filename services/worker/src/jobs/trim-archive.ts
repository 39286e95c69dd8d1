import * as actions from '@parley/actions';

import type { RecurringJob } from './job.ts';

/** Keeps the archive of deleted messages at its month. */
export const trimArchiveJob: RecurringJob = {
  name: 'trim-archive',
  everySeconds: 3600,
  run: ({ engine }) => actions.messages.trimArchive(engine.sql),
};
