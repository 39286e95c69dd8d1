import * as actions from '@parley/actions';
import { listDueDeletions } from '@parley/model';

import type { RecurringJob } from './job.ts';

const perRun = 1000;

/** Removes the bytes of what was deleted, and of what never came to be. */
export const sweepFilesJob: RecurringJob = {
  name: 'sweep-files',
  everySeconds: 60,
  async run({ engine: { db }, store, clock }) {
    const due = await listDueDeletions(db, new Date(clock.nowMs()), perRun);
    for (const folder of due) {
      // In this order: a worker that dies in between leaves the folder to the next run.
      await store.remove(folder);
      await actions.files.cancelDeletion(db, [folder]);
    }
    return { removed: due.length };
  },
};
