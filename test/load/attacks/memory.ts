import type { ClusterNode } from '@parley/infra';
import { pause } from '@parley/kit';

import { usageOf } from '../../support/process-usage.ts';

/** Watches the nodes' memory until the signal aborts. Resolves with each node's peak in MiB. */
export async function watchMemory(
  nodes: readonly ClusterNode[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const peaks: Record<string, number> = {};
  while (!signal.aborted) {
    for (const { name, pid } of nodes)
      peaks[name] = Math.max(peaks[name] ?? 0, Math.round(usageOf(`${pid}`).mib));
    await pause(100, signal);
  }
  return peaks;
}
