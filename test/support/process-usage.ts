import { readFile } from 'node:fs/promises';

export interface Usage {
  /** Resident memory; 0 where it is not known. */
  mib: number;
  /** Processor time so far. */
  cpuSeconds: number;
}

const ticksPerSecond = 100;

const readOf = async (pid: string, file: string) =>
  await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');

/**
 * What a process takes, and those that it has started. The pages of files that these map are its own, too: the binary and
 * libraries. They are counted once.
 */
export async function usageOf(pid: string, counted = 'VmRSS'): Promise<Usage> {
  const [status, stat, children] = await Promise.all(
    ['status', 'stat', `task/${pid}/children`].map((file) => readOf(pid, file)),
  );
  const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
  const own = {
    mib: Number(new RegExp(`${counted}:\\s+(\\d+)`).exec(status ?? '')?.[1] ?? 0) / 1024,
    cpuSeconds: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond,
  };
  const started = (children ?? '').split(' ').filter(Boolean);
  const others = await Promise.all(started.map((child) => usageOf(child, 'RssAnon')));
  return others.reduce(
    (sum, other) => ({ mib: sum.mib + other.mib, cpuSeconds: sum.cpuSeconds + other.cpuSeconds }),
    own,
  );
}
