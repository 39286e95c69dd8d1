import type { Logger } from '@parley/kit';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

import { keys } from './keys.ts';

/** A connection for BullMQ, which waits inside Redis and retries by itself. */
export const connectForJobs = (url: string): Redis =>
  new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: false });

/** Work that workers are asked for, each about one thing. */
export const jobNames = ['preview-links'] as const;
export type JobName = (typeof jobNames)[number];

export interface Jobs {
  /**
   * Asks for work about the thing with this id, once however often it is asked for before it is done. Best effort: Redis
   * may lose it, so whoever asks has marked the thing in Postgres, from where the work is asked for again.
   */
  ask(name: JobName, id: number): void;
}

/** Over a connection that others use, too, and that its opener closes. */
export function createJobs(redis: Redis, logger: Logger): Jobs {
  const queues = new Map(
    jobNames.map((name) => {
      const queue = new Queue(name, { connection: redis, prefix: keys.jobs, skipVersionCheck: true });
      queue.on('error', (error) => logger.debug({ err: error, job: name }, 'queue of jobs'));
      return [name, queue];
    }),
  );
  return {
    ask(name, id) {
      // Nothing waits for a Redis that is away.
      if (redis.status !== 'ready') return;
      queues
        .get(name)
        ?.add(name, { id }, { jobId: `${name}-${id}`, removeOnComplete: true, removeOnFail: true })
        .catch((error: unknown) => logger.debug({ err: error, job: name, id }, 'nobody was asked'));
    },
  };
}
