import { systemClock } from '@parley/kit';

import type { Say } from './machine/say.ts';

// After Ctrl-C, npm sends us the same signal that the terminal has sent us already.
const sameSignalMsMax = 500;

/**
 * A signal that aborts when this process is asked to end: by Ctrl-C, by TERM, because the terminal was closed, or
 * because the npm that runs it was killed. When asked a second time, the process ends at once, and everything it
 * started ends with it.
 */
export function stopSignal(say: Say): AbortSignal {
  const controller = new AbortController();
  let signalledMs = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) {
        if (systemClock.nowMs() - signalledMs > sameSignalMsMax) process.exit(130);
        return;
      }
      signalledMs = systemClock.nowMs();
      say('Stopping … (Ctrl-C again: at once)');
      controller.abort(name);
    });
  }
  // npm sends a SIGTERM on to its shell, which ends without telling us.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (process.ppid !== parent) controller.abort('npm is gone');
    }, 500).unref();
  }
  return controller.signal;
}
