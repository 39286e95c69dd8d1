import { keptMinutes, trimLogs } from '@parley/log';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags } from '../../flags.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  await using deployment = await this.open();
  const { entries, audiences } = await trimLogs((work) => deployment.engine.sweep(work));
  this.show(
    { kept_minutes: keptMinutes, deleted: { entries, audiences } },
    `Deleted ${entries} entries older than ${keptMinutes} minutes, and ${audiences} unused audiences.`,
  );
}

export const logTrimCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: `Delete the entries of the log that are older than ${keptMinutes} minutes`,
    fullDescription: `Entries are kept for ${keptMinutes} minutes, which is longer than queues may be idle. Workers delete older entries by themselves; this command does it now. Messages are not part of the log and stay.`,
    customUsage: ['', '--json'],
  },
});
