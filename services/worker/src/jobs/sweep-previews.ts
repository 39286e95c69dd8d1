import * as actions from '@parley/actions';
import { listDuePreviews } from '@parley/model';

import type { RecurringJob } from './job.ts';

/** The rest waits for the next run. */
const perRun = 1000;
/** Whatever is younger was enqueued when it was sent. */
const enqueuedMs = 60_000;

/** Enqueues again what is still due, as when Redis has lost the jobs. */
export const sweepPreviewsJob: RecurringJob = {
  name: 'sweep-previews',
  everySeconds: 60,
  async run({ engine: { db }, queues, clock }) {
    const now = new Date(clock.nowMs());
    await actions.messages.giveUpPreviews(db, now);
    await actions.linkPreviews.forgetEmptyPreviews(db, now);
    const due = await listDuePreviews(db, new Date(now.getTime() - enqueuedMs), perRun);
    for (const id of due) queues.enqueue({ name: 'preview-links', id });
    return { enqueued: due.length };
  },
};
