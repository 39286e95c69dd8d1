import { systemClock } from '@parley/kit';

import type { Say } from './machine/say.ts';

// npm passes on the Ctrl-C that the terminal has sent us already.
const sameSignalMsMax = 500;

/**
 * Aborts when somebody asks us to end: Ctrl-C, TERM, a closed terminal, or an npm that was killed over us.
 * Asked a second time we end at once, and what we started ends with us.
 */
export function stopSignal(say: Say): AbortSignal {
  const controller = new AbortController();
  let askedMs = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) {
        if (systemClock.nowMs() - askedMs > sameSignalMsMax) process.exit(130);
        return;
      }
      askedMs = systemClock.nowMs();
      say('Stopping … (Ctrl-C again: at once)');
      controller.abort(name);
    });
  }
  // npm passes a SIGTERM on to its shell, which dies of it without a word to us.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (process.ppid !== parent) controller.abort('npm is gone');
    }, 500).unref();
  }
  return controller.signal;
}
