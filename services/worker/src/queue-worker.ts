import { isDatabaseUnavailable } from '@parley/db';
import type { Logger } from '@parley/kit';
import { connectForJobs, keys } from '@parley/redis';
import { type Job, Worker } from 'bullmq';

/** A job whose worker has not said for so long that it runs is run again by another. Running a job twice changes nothing. */
const lockMs = 5000;
const stalledMs = 2500;
/** How often it is to be looked whether jobs wait that should have been fetched. */
export const lookMs = 5000;

export type Connection = ReturnType<typeof connectForJobs>;

export interface WorkedQueue {
  name: string;
  concurrency: number;
  readonly run: (job: Job) => Promise<object>;
}

/** What fetches the jobs of a queue. */
export interface OpenedWorker {
  /** Ends it once the jobs that it runs are done. */
  end(): Promise<void>;
  /** Ends it without waiting for what hangs. Jobs that it runs go on, and may be run again. */
  abandon(): void;
}

/**
 * Fetches and runs the jobs of a queue. BullMQ's fetch, which waits in Redis, may never come back after a fail-over: if jobs
 * have waited from one look to the next and there was room for them, what fetches is replaced by another.
 */
export class QueueWorker {
  readonly #queue: WorkedQueue & { watching: Connection; logger: Logger };
  readonly #open: () => OpenedWorker;
  #current: OpenedWorker;
  #running = 0;
  #fetched = 0;
  /** How many had been fetched when jobs were seen waiting; -1 if none were. */
  #fetchedBefore = -1;

  /** `watching` is a connection that waits for nothing. `open` opens what fetches; it runs jobs by the function it is given. */
  constructor(
    queue: WorkedQueue & { watching: Connection; logger: Logger },
    open: (run: WorkedQueue['run']) => OpenedWorker,
  ) {
    this.#queue = queue;
    this.#open = () => open((job) => this.#run(job));
    this.#current = this.#open();
  }

  /** Looks whether jobs wait that are not fetched. It is called every `lookMs`. */
  async replaceIfStuck(): Promise<void> {
    const { name, concurrency, watching, logger } = this.#queue;
    const isWaiting = await isMarked(watching, name);
    const isStuck = isWaiting && this.#running < concurrency && this.#fetched === this.#fetchedBefore;
    // Two looks in a row: what was marked a moment ago is about to be fetched.
    this.#fetchedBefore = isWaiting && !isStuck ? this.#fetched : -1;
    if (!isStuck) return;
    logger.warn({ queue: name }, 'jobs wait and are not fetched: the job worker is replaced');
    this.#current.abandon();
    this.#current = this.#open();
  }

  async end(): Promise<void> {
    await this.#current.end();
  }

  async #run(job: Job): Promise<object> {
    this.#running += 1;
    this.#fetched += 1;
    try {
      return await this.#queue.run(job);
    } finally {
      this.#running -= 1;
    }
  }
}

/** Returns whether a queue has jobs that are due, and that no worker has come for. False if Redis does not answer. */
async function isMarked(redis: Connection, name: string): Promise<boolean> {
  if (redis.status !== 'ready') return false;
  const due = await redis
    .zrangebyscore(`${keys.jobs}:${name}:marker`, '-inf', Date.now() - lookMs, 'LIMIT', 0, 1)
    .catch((): string[] => []);
  return due.length > 0;
}

export function connectLogged({ redisUrl, logger }: { redisUrl: string; logger: Logger }): Connection {
  const connection = connectForJobs(redisUrl);
  connection.on('error', (error) => logger.debug({ err: error }, 'redis'));
  return connection;
}

/** Opens what fetches the jobs of a queue, over a connection of its own. */
export function openWorker(
  { redisUrl, logger }: { redisUrl: string; logger: Logger },
  { name, concurrency, run }: WorkedQueue,
): OpenedWorker {
  const connection = connectLogged({ redisUrl, logger });
  const worker = new Worker(name, run, {
    prefix: keys.jobs,
    connection,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
  });
  worker.on('failed', (job, error) => {
    // Another try may succeed, without anything being mended in the program.
    const level = isDatabaseUnavailable(error) ? 'warn' : 'error';
    logger[level]({ err: error, job: job?.name }, 'job failed');
  });
  worker.on('error', (error) => logger.warn({ err: error }, 'the job worker failed'));
  return {
    async end() {
      await worker.close();
      connection.disconnect();
    },
    abandon() {
      void worker
        .close(true)
        .catch(() => undefined)
        .finally(() => connection.disconnect());
    },
  };
}
