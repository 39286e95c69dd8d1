import { buildCommand } from '@stricli/core';

import { type ChosenJobs, changeFailedJobs, chosenJobs } from '../../change-failed-jobs.ts';
import type { Context } from '../../context.ts';

async function run(this: Context, flags: ChosenJobs, ...ids: string[]): Promise<void> {
  const count = await changeFailedJobs(this, 'replay', flags, ids);
  this.show({ queue: flags.queue, replayed: count }, `Restarted ${count} jobs of ${flags.queue}.`);
}

export const jobReplayCommand = buildCommand({
  func: run,
  parameters: chosenJobs,
  docs: {
    brief: 'Run failed jobs again',
    customUsage: ['--queue send-mail 12 13', '--queue recurring --all'],
  },
});
