import type { Logger } from '@parley/kit';
import { connectForJobs, keys } from '@parley/redis';
import { Queue, Worker } from 'bullmq';

import type { JobNeeds, RecurringJob } from './jobs/index.ts';

const rescheduleMs = 30_000;
const jobsAtOnce = 4;
const queueName = 'recurring';

export interface RunnerNeeds extends JobNeeds {
  redisUrl: string;
  logger: Logger;
}

/** Runs the recurring jobs on whichever worker is free, once per due time, until disposed of. */
export function runJobs(jobs: readonly RecurringJob[], needs: RunnerNeeds): AsyncDisposable {
  const { redisUrl, logger } = needs;
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const connections = [connectForJobs(redisUrl), connectForJobs(redisUrl)] as const;
  for (const connection of connections)
    connection.on('error', (error) => logger.debug({ err: error }, 'redis'));
  const options = { prefix: keys.jobs };
  const queue = new Queue(queueName, { ...options, connection: connections[0] });

  // Redis is the clock, not the memory: a schedule that it lost is there again within half a minute.
  const schedule = () => {
    for (const { name, everySeconds } of jobs) {
      const template = { name, opts: { removeOnComplete: 10, removeOnFail: 100 } };
      queue
        .upsertJobScheduler(name, { every: everySeconds * 1000 }, template)
        .catch((error: unknown) => logger.warn({ err: error, job: name }, 'scheduling failed'));
    }
  };
  schedule();
  const timer = setInterval(schedule, rescheduleMs);

  const worker = new Worker(
    queueName,
    async ({ name }) => {
      const job = byName.get(name);
      // Left by a newer worker of a rolling deploy: it will be due again where it is known.
      if (!job) return {};
      const startedMs = needs.clock.nowMs();
      const done = await job.run(needs);
      logger.info({ job: name, ms: needs.clock.nowMs() - startedMs, ...done }, 'job');
      return done;
    },
    { ...options, connection: connections[1], concurrency: jobsAtOnce },
  );
  worker.on('failed', (job, error) => logger.error({ err: error, job: job?.name }, 'job failed'));
  worker.on('error', (error) => logger.warn({ err: error }, 'worker'));
  queue.on('error', (error) => logger.debug({ err: error }, 'queue'));

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await worker.close();
      await queue.close();
      for (const connection of connections) connection.disconnect();
    },
  };
}
