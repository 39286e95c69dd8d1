import { RequestFailed } from './errors.ts';

const firstMs = 500;
const maxMs = 30_000;

/**
 * Returns how long to wait after a failure: as long as the server asks, or a random time below a ceiling that
 * doubles.
 */
export function delayMs(attempt: number, error: unknown): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** attempt);
  const asked = error instanceof RequestFailed ? (error.retryAfterMs ?? 0) : 0;
  return asked + Math.random() * ceiling;
}

/** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
