import type { Logger } from '@parley/kit';
import { keys, recurringQueue } from '@parley/redis';
import { histogram } from '@parley/telemetry';
import { type Job, Queue } from 'bullmq';
import { z } from 'zod';

import type { JobDeps, OnDemandJob, RecurringJob } from './jobs/index.ts';
import { type Connection, QueueWorker, connectLogged, lookMs, openWorker } from './queue-worker.ts';

const rescheduleMs = 30_000;
/** How often a worker looks whether Redis has lost the schedules. */
const watchMs = 1000;
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
const Payload = z.object({ id: z.int(), realmId: z.int().optional() });

/**
 * Runs jobs until disposed of, each on whichever worker is free: recurring jobs once per due time, jobs on demand
 * once each time they are enqueued.
 */
export function runJobs({ recurring, onDemand }: Work, deps: RunnerDeps): AsyncDisposable {
  const connection = connectLogged(deps);
  const queue = new Queue(recurringQueue, { prefix: keys.jobs, connection });
  queue.on('error', (error) => deps.logger.debug({ err: error }, 'queue'));
  const schedules = new Schedules(queue, connection, recurring, deps.logger);

  const byName = new Map(recurring.map((job) => [job.name, job]));
  const start = (name: string, concurrency: number, run: (job: Job) => Promise<object>) =>
    new QueueWorker({ name, concurrency, run, watching: connection, logger: deps.logger }, (counted) =>
      openWorker(deps, { name, concurrency, run: counted }),
    );
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
        const { id, realmId } = about;
        const run = () => job.run(deps, id, realmId);
        // A server that hangs keeps no place from the jobs of organizations that another one holds.
        return await runLogged(deps, { job: job.name, ...about }, () =>
          realmId === undefined ? run() : deps.engine.servers.whileAnswering(realmId, run),
        );
      }),
    ),
  ];

  const looking = setInterval(() => {
    for (const worker of workers) void worker.replaceIfStuck();
  }, lookMs);

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(looking);
      schedules[Symbol.dispose]();
      await Promise.all(workers.map((worker) => worker.end()));
      await queue.close();
      connection.disconnect();
    },
  };
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
