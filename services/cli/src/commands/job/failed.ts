import { createJobAdmin, jobQueueNames } from '@parley/redis';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, countFlag } from '../../flags.ts';
import { table } from '../../table.ts';

interface Flags extends CommonFlags {
  limit: number;
}

async function run(this: Context, { limit }: Flags): Promise<void> {
  await using deployment = await this.open();
  await using jobs = createJobAdmin(deployment.getRedis());
  const lists = await Promise.all(jobQueueNames.map((name) => jobs.listFailed(name, limit)));
  const failed = lists
    .flat()
    .sort((a, b) => (b.failedAt?.getTime() ?? 0) - (a.failedAt?.getTime() ?? 0))
    .slice(0, limit)
    .map(({ failedAt, ...job }) => ({ ...job, failed_at: failedAt?.toISOString() ?? null }));
  const rows = failed.map((job) => [
    job.queue,
    job.id,
    job.name,
    job.about,
    job.failed_at,
    job.reason.slice(0, 100),
  ]);
  this.show({ failed }, table(['queue', 'id', 'job', 'about', 'failed', 'reason'], rows));
}

export const jobFailedCommand = buildCommand({
  func: run,
  parameters: {
    flags: { ...commonFlags, limit: countFlag('50', 'How many to show, newest first') },
  },
  docs: {
    brief: 'List the jobs that failed',
    fullDescription:
      'Lists the jobs that failed, with the id of what they were about. Sweeps find work that is still due and retry it anyway; the list shows why it takes so long.',
    customUsage: ['', '--limit 10', '--json'],
  },
});
