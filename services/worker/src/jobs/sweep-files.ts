import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

const perRunMax = 1000;

/** Deletes the files of deleted uploads, and of uploads that a node did not finish. */
export const sweepFilesJob: RecurringJob = {
  name: 'sweep-files',
  everySeconds: 60,
  async run({ engine: { db }, store, clock }) {
    const due = await model.files.listDueFolderDeletions(db, new Date(clock.nowMs()), perRunMax);
    for (const folder of due) {
      // The order matters: if a worker dies in between, the next run still finds the folder.
      await store.remove(folder);
      await actions.files.cancelDeletion(db, [folder]);
    }
    return { removed: due.length };
  },
};
