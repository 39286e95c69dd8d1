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
/** How often a worker looks whether jobs wait that it should have fetched. */
const fetchCheckMs = 5000;

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

type Connection = ReturnType<typeof connectForJobs>;

interface Work {
  recurring: readonly RecurringJob[];
  onDemand: readonly OnDemandJob[];
}

/** The payload of a job on demand. */
const Payload = z.object({ id: z.int(), realmId: z.int().optional() });

/**
 * Runs jobs until disposed of, each on whichever worker is free: recurring jobs once per due time, jobs on demand
 * once each time they are enqueued.
 */
export function runJobs({ recurring, onDemand }: Work, deps: RunnerDeps): AsyncDisposable {
  const connection = connect(deps);
  const queue = new Queue(recurringQueue, { prefix: keys.jobs, connection });
  queue.on('error', (error) => deps.logger.debug({ err: error }, 'queue'));
  const schedules = new Schedules(queue, connection, recurring, deps.logger);

  const byName = new Map(recurring.map((job) => [job.name, job]));
  const start = (name: string, concurrency: number, run: (job: Job) => Promise<object>) =>
    new QueueWorker(deps, { name, concurrency, run, watching: connection });
  const workers = [
    start(recurringQueue, recurringConcurrency, async ({ name }) => {
      const job = byName.get(name);
      // A newer worker of a rolling deploy has scheduled a job that this worker does not know. It will be due again
      // on a worker that does.
      return job ? await runLogged(deps, { job: name }, () => job.run(deps)) : {};
    }),
    ...onDemand.map((job) =>
      start(job.name, job.concurrency, async ({ data }) => {
        const about = Payload.parse(data);
        return await runLogged(deps, { job: job.name, ...about }, () =>
          job.run(deps, about.id, about.realmId),
        );
      }),
    ),
  ];

  return {
    async [Symbol.asyncDispose]() {
      schedules[Symbol.dispose]();
      await Promise.all(workers.map((worker) => worker.end()));
      await queue.close();
      connection.disconnect();
    },
  };
}

function connect({ redisUrl, logger }: Pick<RunnerDeps, 'redisUrl' | 'logger'>): Connection {
  const connection = connectForJobs(redisUrl);
  connection.on('error', (error) => logger.debug({ err: error }, 'redis'));
  return connection;
}

/** Redis holds the schedules but may lose them. When it was emptied, they are written again within a second. */
class Schedules implements Disposable {
  readonly #queue: Queue;
  readonly #connection: Connection;
  readonly #recurring: readonly RecurringJob[];
  readonly #logger: Logger;
  readonly #timers: readonly NodeJS.Timeout[];
  #isWatching = false;

  constructor(queue: Queue, connection: Connection, recurring: readonly RecurringJob[], logger: Logger) {
    this.#queue = queue;
    this.#connection = connection;
    this.#recurring = recurring;
    this.#logger = logger;
    this.#write();
    this.#timers = [
      setInterval(() => this.#write(), rescheduleMs),
      setInterval(() => void this.#writeIfLost(), watchMs),
    ];
  }

  #write(): void {
    for (const { name, everySeconds } of this.#recurring) {
      const template = { name, opts: { removeOnComplete: 10, removeOnFail: 100 } };
      this.#queue
        .upsertJobScheduler(name, { every: everySeconds * 1000 }, template)
        .catch((error: unknown) =>
          this.#logger.warn({ err: error, job: name }, 'scheduling recurring jobs failed'),
        );
    }
  }

  async #writeIfLost(): Promise<void> {
    if (this.#isWatching || this.#connection.status !== 'ready') return;
    this.#isWatching = true;
    const count = await this.#queue.getJobSchedulersCount().catch(() => this.#recurring.length);
    this.#isWatching = false;
    if (count < this.#recurring.length) this.#write();
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}

/** Runs a job, measured, with a line of log about what it did. */
async function runLogged(
  { clock, logger }: Pick<RunnerDeps, 'clock' | 'logger'>,
  line: { job: string; id?: number; realmId?: number | undefined },
  run: () => Promise<object>,
): Promise<object> {
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

interface WatchedQueue {
  name: string;
  concurrency: number;
  readonly run: (job: Job) => Promise<object>;
  /** A connection that waits for nothing. */
  watching: Connection;
}

/**
 * Fetches and runs the jobs of a queue. A fetch that waits in Redis may never come back after a fail-over: if jobs have waited
 * from one look to the next and there was room for them, what fetches is replaced by another.
 */
class QueueWorker {
  readonly #deps: RunnerDeps;
  readonly #queue: WatchedQueue;
  readonly #timer: NodeJS.Timeout;
  #current: ReturnType<typeof openWorker>;
  #running = 0;
  #fetched = 0;
  /** How many had been fetched when jobs were seen waiting; -1 if none were. */
  #fetchedBefore = -1;

  constructor(deps: RunnerDeps, queue: WatchedQueue) {
    this.#deps = deps;
    this.#queue = queue;
    this.#current = this.#open();
    this.#timer = setInterval(() => void this.#replaceIfStuck(), fetchCheckMs);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#current.end();
  }

  #open() {
    const { name, concurrency, run } = this.#queue;
    return openWorker(this.#deps, name, concurrency, async (job) => {
      this.#running += 1;
      this.#fetched += 1;
      try {
        return await run(job);
      } finally {
        this.#running -= 1;
      }
    });
  }

  async #replaceIfStuck(): Promise<void> {
    const { name, concurrency, watching } = this.#queue;
    const isWaiting = await isMarked(watching, name);
    const isStuck = isWaiting && this.#running < concurrency && this.#fetched === this.#fetchedBefore;
    // Two looks in a row: what was marked a moment ago is about to be fetched.
    this.#fetchedBefore = isWaiting && !isStuck ? this.#fetched : -1;
    if (!isStuck) return;
    this.#deps.logger.warn({ queue: name }, 'jobs wait and are not fetched: the job worker is replaced');
    this.#current.abandon();
    this.#current = this.#open();
  }
}

/** Returns whether a queue has jobs that are due, and that no worker has come for. False if Redis does not answer. */
async function isMarked(redis: Connection, name: string): Promise<boolean> {
  if (redis.status !== 'ready') return false;
  const marker = `${keys.jobs}:${name}:marker`;
  const due = await redis
    .zrangebyscore(marker, '-inf', Date.now() - fetchCheckMs, 'LIMIT', 0, 1)
    .catch((): string[] => []);
  return due.length > 0;
}

function openWorker(deps: RunnerDeps, name: string, concurrency: number, run: (job: Job) => Promise<object>) {
  const { logger } = deps;
  const connection = connect(deps);
  const worker = new Worker(name, run, {
    prefix: keys.jobs,
    connection,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
  });
  worker.on('failed', (job, error) => logger.error({ err: error, job: job?.name }, 'job failed'));
  worker.on('error', (error) => logger.warn({ err: error }, 'the job worker failed'));
  return {
    async end() {
      await worker.close();
      connection.disconnect();
    },
    /** Ends it without waiting for what hangs. Jobs that it runs go on, and may be run again. */
    abandon() {
      void worker
        .close(true)
        .catch(() => undefined)
        .finally(() => connection.disconnect());
    },
  };
}
