import type { MiddlewareHandler } from 'hono';

/**
 * Holds back the replies that refuse a caller who asks too much. Whoever asks again as soon as it is refused asks a few
 * times a second on each connection, not a thousand times, and takes nothing from the others. Clients that wait as they
 * are told notice nothing.
 */
export function holdRefusals({
  wait,
  heldMax,
}: {
  readonly wait: () => Promise<void>;
  heldMax: number;
}): MiddlewareHandler {
  let held = 0;
  return async (c, next) => {
    await next();
    if (c.res.status !== 429 || held >= heldMax) return;
    held += 1;
    await wait();
    held -= 1;
  };
}
