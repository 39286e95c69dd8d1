import * as actions from '@parley/actions';

import type { RecurringJob } from '../job.ts';

/** Deletes messages from the archive of deleted messages after a month. */
export const trimArchiveJob: RecurringJob = {
  name: 'trim-archive',
  everySeconds: 3600,
  async run({ engine }) {
    let messages = 0;
    await engine.sweep(async (_, realmIds, sql) => {
      const trimmed = await actions.messages.trimArchive(sql, realmIds);
      messages += trimmed;
    });
    return { messages };
  },
};
