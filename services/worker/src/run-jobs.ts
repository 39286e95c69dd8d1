import type { Logger } from '@parley/kit';
import { connectForJobs, keys, recurringQueue } from '@parley/redis';
import { histogram } from '@parley/telemetry';
import { type Job, Queue, Worker } from 'bullmq';
import { z } from 'zod';

import type { JobDeps, OnDemandJob, RecurringJob } from './jobs/index.ts';

const rescheduleMs = 30_000;
/** How often a worker looks whether Redis has lost the schedules. */
const watchMs = 1000;
/** A job whose worker has not said for so long that it runs is run again by another. Running a job twice changes nothing. */
const lockMs = 5000;
const stalledMs = 2500;
const recurringConcurrency = 4;

const jobSeconds = histogram(
  'parley_worker_job_seconds',
  'How long jobs ran',
  [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300],
  ['name', 'outcome'],
);

export interface RunnerDeps extends JobDeps {
  redisUrl: string;
  logger: Logger;
}

interface Work {
  recurring: readonly RecurringJob[];
  onDemand: readonly OnDemandJob[];
}

/** The payload of a job on demand. */
const Payload = z.object({ id: z.int() });

/**
 * Runs jobs until disposed of, each on whichever worker is free: recurring jobs once per due time, jobs on demand
 * once each time they are enqueued.
 */
export function runJobs({ recurring, onDemand }: Work, deps: RunnerDeps): AsyncDisposable {
  const { redisUrl, logger, clock } = deps;
  const connect = () => {
    const connection = connectForJobs(redisUrl);
    connection.on('error', (error) => logger.debug({ err: error }, 'redis'));
    return connection;
  };
  const connection = connect();
  const queue = new Queue(recurringQueue, { prefix: keys.jobs, connection });
  queue.on('error', (error) => logger.debug({ err: error }, 'queue'));

  // Redis holds the schedules but may lose them. When it was emptied, they are written again within a second.
  const schedule = () => {
    for (const { name, everySeconds } of recurring) {
      const template = { name, opts: { removeOnComplete: 10, removeOnFail: 100 } };
      queue
        .upsertJobScheduler(name, { every: everySeconds * 1000 }, template)
        .catch((error: unknown) => logger.warn({ err: error, job: name }, 'scheduling failed'));
    }
  };
  schedule();
  const timer = setInterval(schedule, rescheduleMs);
  let isWatching = false;
  const scheduleIfLost = async () => {
    if (isWatching || connection.status !== 'ready') return;
    isWatching = true;
    const count = await queue.getJobSchedulersCount().catch(() => recurring.length);
    isWatching = false;
    if (count < recurring.length) schedule();
  };
  const watch = setInterval(() => void scheduleIfLost(), watchMs);

  async function log(line: { job: string; id?: number }, run: () => Promise<object>): Promise<object> {
    const startedMs = clock.nowMs();
    const measure = jobSeconds.startTimer({ name: line.job });
    let outcome = 'failed';
    let done: object;
    try {
      done = await run();
      outcome = 'done';
    } finally {
      measure({ outcome });
    }
    // Of jobs that run often, most find nothing to do.
    const isIdle = Object.values(done).every((count) => count === 0);
    logger[isIdle ? 'debug' : 'info']({ ...line, ms: clock.nowMs() - startedMs, ...done }, 'job');
    return done;
  }

  function work(name: string, concurrency: number, run: (job: Job) => Promise<object>) {
    const connection = connect();
    const worker = new Worker(name, run, {
      prefix: keys.jobs,
      connection,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: stalledMs,
    });
    worker.on('failed', (job, error) => logger.error({ err: error, job: job?.name }, 'job failed'));
    worker.on('error', (error) => logger.warn({ err: error }, 'worker'));
    return {
      async end() {
        await worker.close();
        connection.disconnect();
      },
    };
  }

  const byName = new Map(recurring.map((job) => [job.name, job]));
  const workers = [
    work(recurringQueue, recurringConcurrency, async ({ name }) => {
      const job = byName.get(name);
      // A newer worker of a rolling deploy has scheduled a job that this worker does not know. It will be due again
      // on a worker that does.
      return job ? await log({ job: name }, () => job.run(deps)) : {};
    }),
    ...onDemand.map((job) =>
      work(job.name, job.concurrency, async ({ data }) => {
        const { id } = Payload.parse(data);
        return await log({ job: job.name, id }, () => job.run(deps, id));
      }),
    ),
  ];

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      clearInterval(watch);
      await Promise.all(workers.map((worker) => worker.end()));
      await queue.close();
      connection.disconnect();
    },
  };
}
