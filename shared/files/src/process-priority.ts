import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const low = constants.priority.PRIORITY_BELOW_NORMAL;

/** Lets all threads of the process, and those that they start, run after other processes where processors are scarce. */
export function lowerProcessPriority(): void {
  setPriority(low);
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), low);
    } catch {
      // The thread has ended meanwhile.
    }
  }
}
