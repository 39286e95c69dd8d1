import type { Clock, Logger } from '@parley/kit';
import { type Job, jobNames } from '@parley/protocol';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

import { openClient } from './client.ts';
import { keys } from './keys.ts';

/** Creates a connection for BullMQ, which waits inside Redis and retries by itself. */
export const connectForJobs = (url: string): Redis =>
  openClient(url, { maxRetriesPerRequest: null, enableReadyCheck: false });

/** The queue of all jobs that recur. Each job on demand has a queue of its own. */
export const recurringQueue = 'recurring';

/** The failed jobs of a queue that are kept for operators: the newest, for three days. */
const failuresKept = { count: 1000, age: 3 * 86_400 };

export interface JobQueues {
  /**
   * Enqueues a job, once for each time at which it is due, however often that is tried before it has run. Best effort:
   * Redis may lose it, so whoever enqueues it has marked the thing in Postgres, where a sweep finds it again. Jobs that
   * fail are kept for operators; they do not keep it from being enqueued again.
   */
  enqueue(job: Job): void;
}

/** Works over a connection that others use, too, and that its opener closes. */
export function createJobQueues(redis: Redis, clock: Clock, logger: Logger): JobQueues {
  const queues = new Map(
    jobNames.map((name) => {
      const queue = new Queue(name, { connection: redis, prefix: keys.jobs, skipVersionCheck: true });
      queue.on('error', (error) => logger.debug({ err: error, job: name }, 'the job queue failed'));
      return [name, queue];
    }),
  );
  return {
    enqueue({ name, id, realmId, dueMs }) {
      // Nothing waits for a Redis that is away.
      if (redis.status !== 'ready') return;
      queues
        .get(name)
        ?.add(
          name,
          { id, realmId },
          {
            deduplication: { id: [realmId, id, dueMs].filter((part) => part !== undefined).join('-') },
            delay: Math.max(0, (dueMs ?? 0) - clock.nowMs()),
            removeOnComplete: true,
            removeOnFail: failuresKept,
          },
        )
        .catch((error: unknown) => logger.debug({ err: error, job: name, id }, 'a job was not enqueued'));
    },
  };
}
