import type { Logger } from './logger.ts';

/**
 * Runs `work` repeatedly, each time `ms` after the last run has ended. An error is logged, and the next run follows
 * all the same.
 */
export function every(ms: number, logger: Logger, work: () => Promise<void> | void): Disposable {
  let isStopped = false;
  let timer = setTimeout(run, ms);
  function run(): void {
    void Promise.resolve()
      .then(work)
      .catch((error: unknown) => logger.debug({ err: error }, 'periodic work failed'))
      .finally(() => {
        if (!isStopped) timer = setTimeout(run, ms);
      });
  }
  return {
    [Symbol.dispose]() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
