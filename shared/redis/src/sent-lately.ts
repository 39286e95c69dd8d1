import { createHash } from 'node:crypto';

import type { Redis } from 'ioredis';

import { keys } from './keys.ts';

/** As long as the log is kept. */
const rememberedSeconds = 3600;

/**
 * Remembers for an hour what has left the deployment: mails, and notifications on phones. Postgres says what is still to be
 * sent, but it may go back to a time before it was. Best effort: without Redis, something may be sent again.
 */
export interface SentLately {
  /** Returns whether this was sent. What it is follows from its parts, which tell it from all others. */
  has(...parts: readonly unknown[]): Promise<boolean>;
  add(...parts: readonly unknown[]): Promise<void>;
}

export function createSentLately(redis: Redis): SentLately {
  const keyOf = (parts: readonly unknown[]) =>
    keys.sent(createHash('sha256').update(JSON.stringify(parts)).digest('base64url'));
  const isReady = () => redis.status === 'ready';
  return {
    has: async (...parts) => isReady() && (await redis.exists(keyOf(parts)).catch(() => 0)) > 0,
    async add(...parts) {
      if (isReady()) await redis.set(keyOf(parts), 1, 'EX', rememberedSeconds).catch(() => null);
    },
  };
}
