import type { Clock, Logger } from '@parley/kit';
import { type Job, jobNames } from '@parley/protocol';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

import { keys } from './keys.ts';

/** A connection for BullMQ, which waits inside Redis and retries by itself. */
export const connectForJobs = (url: string): Redis =>
  new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: false });

/** The queue of all jobs that recur. Each job on demand has a queue of its own. */
export const recurringQueue = 'recurring';

export interface JobQueues {
  /**
   * Enqueues a job, once for each time at which it is due, however often that is tried before it is done. Best effort: Redis may lose it, so whoever
   * enqueues it has marked the thing in Postgres, where a sweep finds it again.
   */
  enqueue(job: Job): void;
}

/** Over a connection that others use, too, and that its opener closes. */
export function createJobQueues(redis: Redis, clock: Clock, logger: Logger): JobQueues {
  const queues = new Map(
    jobNames.map((name) => {
      const queue = new Queue(name, { connection: redis, prefix: keys.jobs, skipVersionCheck: true });
      queue.on('error', (error) => logger.debug({ err: error, job: name }, 'job queue'));
      return [name, queue];
    }),
  );
  return {
    enqueue({ name, id, dueMs }) {
      // Nothing waits for a Redis that is away.
      if (redis.status !== 'ready') return;
      queues
        .get(name)
        ?.add(
          name,
          { id },
          {
            jobId: dueMs === undefined ? `${name}-${id}` : `${name}-${id}-${dueMs}`,
            delay: Math.max(0, (dueMs ?? 0) - clock.nowMs()),
            removeOnComplete: true,
            removeOnFail: true,
          },
        )
        .catch((error: unknown) => logger.debug({ err: error, job: name, id }, 'a job was not enqueued'));
    },
  };
}
