import * as actions from '@parley/actions';
import { listDuePreviews } from '@parley/model';

import type { RecurringJob } from './job.ts';

/** The rest waits for the next run. */
const perRun = 1000;
/** Whatever is younger was asked for when it was sent. */
const patienceMs = 60_000;

/** Asks again for previews that are still due, as when Redis has lost who asked. */
export const sweepPreviewsJob: RecurringJob = {
  name: 'sweep-previews',
  everySeconds: 60,
  async run({ db, jobs, clock }) {
    const now = new Date(clock.nowMs());
    await actions.messages.giveUpPreviews(db, now);
    await actions.linkPreviews.forgetEmptyPreviews(db, now);
    const due = await listDuePreviews(db, new Date(now.getTime() - patienceMs), perRun);
    for (const id of due) jobs.ask('preview-links', id);
    return { asked: due.length };
  },
};
