import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Messages beyond this number wait for the next run. */
const perRunMax = 1000;
/** Jobs for younger messages were enqueued when the message was sent. */
const ageMsMin = 60_000;

/** Enqueues jobs again for messages that still wait for previews, for example because Redis has lost the jobs. */
export const sweepPreviewsJob: RecurringJob = {
  name: 'sweep-previews',
  everySeconds: 60,
  async run({ engine, queues, clock }) {
    const now = new Date(clock.nowMs());
    const before = new Date(now.getTime() - ageMsMin);
    const enqueued = await engine.sweep(async (db, realmIds) => {
      await actions.messages.giveUpPreviews(db, now, realmIds);
      await actions.linkPreviews.removeEmpty(db, now, realmIds);
      const due = await model.messages.listMessagesAwaitingPreviews(db, { before, realmIds }, perRunMax);
      for (const { realmId, messageId: id } of due) queues.enqueue({ name: 'preview-links', id, realmId });
      return due.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
