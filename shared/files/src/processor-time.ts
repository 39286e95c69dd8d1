import { readFileSync } from 'node:fs';

/** The system counts processor time in these. */
const msPerTick = 10;

/**
 * Returns the time, in ms, that all threads of a process have had a processor; undefined if there is no such process. Where the
 * system does not say, a clock that always runs.
 */
export function readProcessorMs(pid: number): number | undefined {
  if (process.platform !== 'linux') return performance.now();
  try {
    // The name of the program, which stands in parentheses, may contain anything.
    const [, fields = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * msPerTick;
  } catch {
    return undefined;
  }
}
