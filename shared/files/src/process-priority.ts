import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets all threads of the process, and those that they start, run after other processes where processors are scarce. One
 * that was started with a lower priority keeps it.
 */
export function lowerProcessPriority(): void {
  // Greater numbers are lower priorities.
  const low = Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority());
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
