import * as actions from '@parley/actions';

import type { RecurringJob } from '../job.ts';

/** Deletes messages from the archive of deleted messages after a month. */
export const trimArchiveJob: RecurringJob = {
  name: 'trim-archive',
  everySeconds: 3600,
  run: ({ engine }) => actions.messages.trimArchive(engine.sql),
};
