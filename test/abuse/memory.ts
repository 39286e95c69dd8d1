import { readFile } from 'node:fs/promises';

import type { ClusterNode } from '@parley/infra';
import { pause } from '@parley/kit';

const readOf = async (pid: string, file: string) =>
  await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');

/** The memory of a process and of those that it has started, in MiB; 0 where it is not known. */
async function memoryOf(pid: string): Promise<number> {
  const own = Number(/VmRSS:\s+(\d+)/.exec(await readOf(pid, 'status'))?.[1] ?? 0) / 1024;
  const children = (await readOf(pid, `task/${pid}/children`)).split(' ').filter(Boolean);
  const theirs = await Promise.all(children.map(memoryOf));
  return theirs.reduce((sum, mib) => sum + mib, own);
}

/** Watches the nodes' memory until the signal aborts. Resolves with each node's peak in MiB. */
export async function watchMemory(
  nodes: readonly ClusterNode[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const peaks: Record<string, number> = {};
  while (!signal.aborted) {
    for (const { name, pid } of nodes)
      peaks[name] = Math.max(peaks[name] ?? 0, Math.round(await memoryOf(`${pid}`)));
    await pause(100, signal);
  }
  return peaks;
}
