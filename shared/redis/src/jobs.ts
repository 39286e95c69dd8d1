import { Redis } from 'ioredis';

/** A connection for BullMQ, which waits inside Redis and retries by itself. */
export const connectForJobs = (url: string): Redis =>
  new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: false });
