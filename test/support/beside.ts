import { createLogger, systemClock } from '@parley/kit';
import { createJobQueues } from '@parley/redis';
import { type JobDeps, type Outbound, onDemandJobs, recurringJobs, runJobs } from '@parley/worker';

import { jobDeps } from './jobs.ts';
import { openRedis } from './open-redis.ts';
import { getWorld } from './world.ts';

const logger = createLogger({ role: 'test', level: 'silent' });

/** Files that run at the same time have databases of their own. */
const firstDatabase = 6;

/** Another api node, and a Redis beside that of other tests: what is asked for there is done by nobody else. */
export async function startBeside(outbound?: Outbound) {
  const url = new URL((await getWorld()).redisUrl);
  url.pathname = `/${firstDatabase + Number(process.env['VITEST_POOL_ID'])}`;
  const redis = await openRedis(url.href);
  await redis.flushdb();
  const api = await (await getWorld()).startApi({ redis });
  const queues = createJobQueues(redis, systemClock, logger);
  const working: AsyncDisposable[] = [];
  return {
    redis,
    redisUrl: url.href,
    queues,
    differing: { port: api.port },
    /** From now on there is a worker, too, for jobs that are asked for, and for recurring ones with these names. */
    async work(...recurring: string[]) {
      await this.workWith({}, ...recurring);
    },
    /** The same, of a worker that is different, and may reach Redis on another way. */
    async workWith(
      { redisUrl = url.href, ...differing }: Partial<JobDeps> & { redisUrl?: string },
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
