import { buildCommand } from '@stricli/core';

import { type ChosenJobs, changeFailedJobs, chosenJobs } from '../../change-failed-jobs.ts';
import type { Context } from '../../context.ts';

async function run(this: Context, flags: ChosenJobs, ...ids: string[]): Promise<void> {
  const count = await changeFailedJobs(this, 'drop', flags, ids);
  this.show({ queue: flags.queue, dropped: count }, `Deleted ${count} jobs of ${flags.queue}.`);
}

export const jobDropCommand = buildCommand({
  func: run,
  parameters: chosenJobs,
  docs: {
    brief: 'Delete failed jobs; work that is still due is found again',
    customUsage: ['--queue send-mail 12 13', '--queue recurring --all'],
  },
});
