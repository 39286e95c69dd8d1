import { createLogger, systemClock } from '@parley/kit';
import { createJobQueues } from '@parley/redis';
import { type JobDeps, type Outbound, onDemandJobs, recurringJobs, runJobs } from '@parley/worker';

import { jobDeps } from './jobs.ts';
import { openEmptyRedis } from './open-redis.ts';
import { getWorld } from './world.ts';

const logger = createLogger({ role: 'test', level: 'silent' });

/** Another api node, and a Redis beside that of other tests: what is asked for there is done by nobody else. */
export async function startBeside(outbound?: Outbound) {
  const { redis, url } = await openEmptyRedis();
  const api = await (await getWorld()).startApi({ redis });
  const queues = createJobQueues(redis, systemClock, logger);
  const working: AsyncDisposable[] = [];
  return {
    redis,
    redisUrl: url,
    queues,
    differing: { port: api.port },
    /** From now on there is a worker, too, for jobs that are asked for, and for recurring ones with these names. */
    async work(...recurring: string[]) {
      await this.workWith({}, ...recurring);
    },
    /** The same, of a worker that is different, and may reach Redis on another way. */
    async workWith(
      { redisUrl = url, ...differing }: Partial<JobDeps> & { redisUrl?: string },
      ...recurring: string[]
    ) {
      const deps = await jobDeps({ queues, ...(outbound && { outbound }), ...differing });
      const jobs = recurringJobs.filter(({ name }) => recurring.includes(name));
      working.push(runJobs({ recurring: jobs, onDemand: onDemandJobs }, { ...deps, redisUrl }));
    },
    async [Symbol.asyncDispose]() {
      for (const worker of working) await worker[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      await redis.flushdb();
      redis.disconnect();
    },
  };
}
