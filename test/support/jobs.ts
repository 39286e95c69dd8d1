import { createLogger, systemClock } from '@parley/kit';
import { type JobNeeds, type Outbound, askedJobs, recurringJobs } from '@parley/worker';

import { getWorld } from './world.ts';

const nobody: Outbound = {
  request: () => Promise.reject(new Error('There is no outside world in this test.')),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** What a worker of this file's world has for its jobs: no way to anybody outside, and nobody to ask. */
export async function jobNeeds(differing: Partial<JobNeeds> = {}): Promise<JobNeeds> {
  const { sql, needs, store, site } = await getWorld();
  return {
    ...needs,
    sql,
    store,
    site,
    outbound: nobody,
    jobs: { ask: () => undefined },
    clock: systemClock,
    logger: createLogger({ role: 'test', level: 'silent' }),
    ...differing,
  };
}

/** Runs a recurring job; answers with what it logs. */
export async function runRecurring(name: string, differing?: Partial<JobNeeds>): Promise<object> {
  const job = recurringJobs.find((one) => one.name === name);
  if (!job) throw new Error(`There is no job ${name}.`);
  return await job.run(await jobNeeds(differing));
}

/** Runs a job that is asked for, about the thing with this id. */
export async function runAsked(name: string, id: number, differing?: Partial<JobNeeds>): Promise<object> {
  const job = askedJobs.find((one) => one.name === name);
  if (!job) throw new Error(`There is no job ${name}.`);
  return await job.run(await jobNeeds(differing), id);
}
