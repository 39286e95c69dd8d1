import { createJobAdmin } from '@parley/redis';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags } from '../../flags.ts';
import { table } from '../../table.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  await using deployment = await this.open();
  await using jobs = createJobAdmin(deployment.getRedis());
  const queues = await jobs.count();
  const rows = queues.map((one) => [
    one.queue,
    one.waiting,
    one.delayed,
    one.active,
    one.failed,
    one.workers,
  ]);
  this.show({ queues }, table(['queue', 'waiting', 'delayed', 'active', 'failed', 'workers'], rows));
}

export const jobListCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'Count the jobs of each queue, and the workers that run them',
    customUsage: ['', '--json'],
  },
});
