import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Returns the system's number of the thread that asks. -1 where the system does not say. */
export function currentThread(): number {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return -1;
  }
}

/**
 * Returns a clock, in ms, that runs while a thread of this process has a processor; or always, where the system does
 * not say.
 */
export function readProcessorMs(thread: number): number {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
