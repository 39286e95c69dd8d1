import { readFileSync } from 'node:fs';

export interface Usage {
  /** Resident memory; 0 where it is not known. */
  mib: number;
  /** Processor time so far. */
  cpuSeconds: number;
}

const ticksPerSecond = 100;

/** What the kernel says of a process is not on a disk: reading it takes no longer than asking a thread to read it. */
function readOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * What a process takes, and those that it has started. The pages of files that these map are its own, too: the binary and
 * libraries. They are counted once.
 */
export function usageOf(pid: string, counted = 'VmRSS'): Usage {
  const stat = readOf(pid, 'stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = {
    mib: Number(new RegExp(`${counted}:\\s+(\\d+)`).exec(readOf(pid, 'status'))?.[1] ?? 0) / 1024,
    cpuSeconds: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond,
  };
  const started = readOf(pid, `task/${pid}/children`).split(' ').filter(Boolean);
  const others = started.map((child) => usageOf(child, 'RssAnon'));
  return others.reduce(
    (sum, other) => ({ mib: sum.mib + other.mib, cpuSeconds: sum.cpuSeconds + other.cpuSeconds }),
    own,
  );
}
