import * as actions from '@parley/actions';
import { sum } from '@parley/kit';

import type { RecurringJob } from '../job.ts';

/** Deletes messages from the archive of deleted messages after a month. */
export const trimArchiveJob: RecurringJob = {
  name: 'trim-archive',
  everySeconds: 3600,
  async run({ engine }) {
    const messages = await engine.sweep((_, realmIds, sql) => actions.messages.trimArchive(sql, realmIds));
    return { messages: sum(messages) };
  },
};
