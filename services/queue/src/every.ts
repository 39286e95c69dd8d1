import type { Logger } from '@parley/kit';

/** Does `work` again and again, `ms` apart, one at a time. What it throws is logged and ends nothing. */
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
