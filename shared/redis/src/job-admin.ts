import { jobNames } from '@parley/protocol';
import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';

import { recurringQueue } from './jobs.ts';
import { keys } from './keys.ts';

/** Names of the queues of jobs: one for each job on demand, and one for all that recur. */
export const jobQueueNames = [...jobNames, recurringQueue] as const;
export type JobQueueName = (typeof jobQueueNames)[number];

interface JobCounts {
  queue: JobQueueName;
  waiting: number;
  /** Waits for its time. */
  delayed: number;
  active: number;
  failed: number;
  /** Workers that take jobs of this queue. */
  workers: number;
}

interface FailedJob {
  queue: JobQueueName;
  id: string;
  name: string;
  /** The id of the thing that a job on demand is about. */
  about: number | null;
  failedAt: Date | null;
  attempts: number;
  reason: string;
}

/**
 * The jobs of the workers, for operators. What is due stands in Postgres: dropping a job only gives up this attempt.
 */
export interface JobAdmin extends AsyncDisposable {
  count(): Promise<JobCounts[]>;
  /** The failed jobs of a queue, newest first, at most `limit`. */
  listFailed(queue: JobQueueName, limit: number): Promise<FailedJob[]>;
  /** Lets a failed job run again. Answers whether there was one with this id. */
  replay(queue: JobQueueName, id: string): Promise<boolean>;
  /** Forgets a failed job. Answers whether there was one with this id. */
  drop(queue: JobQueueName, id: string): Promise<boolean>;
}

/** Works over a connection that its opener closes. */
export function createJobAdmin(redis: Redis): JobAdmin {
  const queues = new Map(
    jobQueueNames.map((name) => {
      const queue = new Queue(name, { connection: redis, prefix: keys.jobs, skipVersionCheck: true });
      // Each command reports its own failure.
      queue.on('error', () => {});
      return [name, queue];
    }),
  );
  const queueOf = (name: JobQueueName): Queue => {
    const queue = queues.get(name);
    if (!queue) throw new Error(`There is no queue ${name}.`);
    return queue;
  };

  async function findFailed(name: JobQueueName, id: string): Promise<Job | null> {
    const job = await queueOf(name).getJob(id);
    return job && (await job.isFailed()) ? job : null;
  }

  return {
    async count() {
      return await Promise.all(
        [...queues].map(async ([name, queue]) => {
          const {
            waiting = 0,
            prioritized = 0,
            delayed = 0,
            active = 0,
            failed = 0,
          } = await queue.getJobCounts();
          const workers = await queue.getWorkersCount();
          return { queue: name, waiting: waiting + prioritized, delayed, active, failed, workers };
        }),
      );
    },
    async listFailed(name, limit) {
      // Safe: every job is asked for by its id, so that none is missing unless it has just gone.
      const jobs = (await queueOf(name).getFailed(0, limit - 1)) as (Job | undefined)[];
      return jobs.flatMap((job) => (job ? [presentFailed(name, job)] : []));
    },
    async replay(name, id) {
      const job = await findFailed(name, id);
      await job?.retry('failed', { resetAttemptsMade: true });
      return job !== null;
    },
    async drop(name, id) {
      const job = await findFailed(name, id);
      await job?.remove();
      return job !== null;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

function presentFailed(queue: JobQueueName, job: Job): FailedJob {
  const data: unknown = job.data;
  const about = typeof data === 'object' && data !== null && 'id' in data ? Number(data.id) : null;
  return {
    queue,
    id: job.id ?? '',
    name: job.name,
    about,
    failedAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
    attempts: job.attemptsMade,
    reason: job.failedReason ?? '',
  };
}
