import { setTimeout as sleep } from 'node:timers/promises';

export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/**
 * Returns the delay of an exponential backoff with full jitter: a random time between 0 and a ceiling that doubles with
 * each attempt.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: Backoff): number {
  return Math.random() * Math.min(maxMs, firstMs * 2 ** attempt);
}

/** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}
