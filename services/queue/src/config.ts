import { z } from 'zod';

const rateLimit = z
  .string()
  .regex(/^[1-9]\d*:[1-9]\d*$/, 'must be seconds:requests')
  .default('60:12000')
  .transform((text) => {
    const [windowSeconds = 0, requestsMax = 0] = text.split(':').map(Number);
    return { windowSeconds, requestsMax };
  });

/** Variables that queue nodes read beside the common ones. */
export const queueConfig = {
  EVENTS_RATE_LIMIT: rateLimit.describe('requests for events per user, as seconds:requests'),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(3)
    .describe('time over which waiting polls are answered at the end'),
  RING_ENTRIES: z.coerce
    .number()
    .int()
    .min(100)
    .default(20_000)
    .describe('recent log entries kept in memory per realm'),
  RING_MEGABYTES: z.coerce.number().min(1).default(64).describe('memory for recent log entries per realm'),
  POSTGRES_CONNECTIONS: z.coerce.number().int().min(1).default(8).describe('connections to Postgres'),
};
