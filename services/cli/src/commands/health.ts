import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags } from '../flags.ts';
import { checkHealth } from '../health.ts';
import { table } from '../table.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  await using deployment = await this.open();
  const checks = await checkHealth(deployment, Date.now());
  const isHealthy = checks.every(({ ok }) => ok);
  const rows = checks.map(({ name, ok, detail }) => [ok ? 'ok' : 'BAD', name, detail]);
  this.show({ ok: isHealthy, checks }, table(['', 'what', 'seen'], rows));
  if (!isHealthy) this.fail();
}

export const healthCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'Check Postgres, Redis, migrations, streams, workers and overdue work',
    fullDescription:
      'Checks Postgres and Redis, pending migrations, whether Redis has the ends of the logs, whether workers are running, and whether work is overdue. Exits with 1 if something is wrong.',
    customUsage: ['', '--json'],
  },
});
