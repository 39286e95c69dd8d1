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
    brief: 'Look at Postgres, Redis, migrations, streams, workers and what is due',
    fullDescription:
      'Looks at Postgres and Redis, at migrations that wait, whether Redis carries the ends of the logs, whether workers are there, and what is due and late. It ends with 1 if anything is not as it should be.',
    customUsage: ['', '--json'],
  },
});
