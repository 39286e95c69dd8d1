import { readFile } from 'node:fs/promises';

import type { ClusterNode } from '@parley/infra';
import { pause } from '@parley/kit';

/** The memory of a process in MiB; 0 where it is not known. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Watches the nodes' memory until the signal aborts. Resolves with each node's peak in MiB. */
export async function watchMemory(
  nodes: readonly ClusterNode[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const peaks: Record<string, number> = {};
  while (!signal.aborted) {
    for (const { name, pid } of nodes)
      peaks[name] = Math.max(peaks[name] ?? 0, Math.round(await memoryOf(pid)));
    await pause(100, signal);
  }
  return peaks;
}
