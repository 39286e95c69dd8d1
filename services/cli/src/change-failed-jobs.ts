import { type JobQueueName, createJobAdmin, jobQueueNames } from '@parley/redis';

import type { Context } from './context.ts';
import { type CommonFlags, commonFlags } from './flags.ts';
import { Refusal } from './refusal.ts';

/** How many jobs `--all` takes: more than are kept. */
const allMax = 100_000;

export interface ChosenJobs extends CommonFlags {
  queue: JobQueueName;
  all: boolean;
}

/** Parameters of commands that do something with failed jobs of a queue. */
export const chosenJobs = {
  flags: {
    ...commonFlags,
    queue: { kind: 'enum', values: jobQueueNames, brief: 'Queue, as shown by `parley job failed`' },
    all: { kind: 'boolean', brief: 'All failed jobs of the queue', default: false, withNegated: false },
  },
  positional: { kind: 'array', parameter: { parse: String, placeholder: 'id', brief: 'Ids of failed jobs' } },
} as const;

/**
 * Replays or drops failed jobs, and answers how many.
 *
 * @throws Refusal for ids that no failed job has, when the others are done
 */
export async function changeFailedJobs(
  context: Context,
  verb: 'replay' | 'drop',
  { queue, all }: ChosenJobs,
  ids: readonly string[],
): Promise<number> {
  if (all !== (ids.length === 0))
    throw new Refusal('Name the jobs.', 'Give either their ids, or --all for the whole queue.');
  await using deployment = await context.open();
  await using jobs = createJobAdmin(deployment.getRedis());
  const chosen = all ? (await jobs.listFailed(queue, allMax)).map(({ id }) => id) : ids;
  const missing: string[] = [];
  using progress = context.progress(`${chosen.length} jobs`, chosen.length);
  for (const id of chosen) {
    if (!(await jobs[verb](queue, id))) missing.push(id);
    progress.advance(1);
  }
  // What has gone meanwhile was replayed or dropped by somebody else.
  if (missing.length > 0 && !all) {
    throw new Refusal(
      `These jobs have not failed in ${queue}: ${missing.join(', ')}.`,
      'List the failed jobs: parley job failed',
    );
  }
  return chosen.length - missing.length;
}
