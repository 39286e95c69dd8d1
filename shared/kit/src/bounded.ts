/** Bounds of work that a thread or process of its own does. */
export interface WorkBounds {
  /** The processor time that it has taken since some moment, in ms. Undefined before it has begun, and after its end. */
  readonly processorMs: () => number | undefined;
  processorMsMax: number;
  /** The time after which it is ended though it had no processor. */
  waitMsMax: number;
}

/** The machine had no time for the work. */
export class WorkStarved extends Error {
  constructor() {
    super('The machine had no time for the work.');
  }
}

/** What the work has taken is looked at as often. */
const lookMsMax = 100;

/**
 * Runs work whose signal is aborted when it has taken its time of the processor. Waiting does not count: nobody pays for
 * a machine that has much to do.
 *
 * @throws WorkStarved when it was ended because it waited for too long, and whatever the work throws
 */
export async function runBounded<Result>(
  { processorMs, processorMsMax, waitMsMax }: WorkBounds,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const startMs = performance.now();
  let begunMs: number | undefined;
  let isStarved = false;
  const look = () => {
    const nowMs = processorMs();
    begunMs ??= nowMs;
    const isLate = nowMs !== undefined && begunMs !== undefined && nowMs - begunMs > processorMsMax;
    isStarved = performance.now() - startMs > waitMsMax;
    if (isLate || isStarved) ending.abort();
  };
  const looking = setInterval(look, Math.min(lookMsMax, processorMsMax));
  try {
    return await work(ending.signal);
  } catch (error) {
    throw isStarved ? new WorkStarved() : error;
  } finally {
    clearInterval(looking);
  }
}
