import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

import { processesOf } from '../../load/samples.ts';
import type { Stage } from '../area.ts';

/** Has the browser go first where servers want the same processor, as if it had a machine of its own. */
export function setServersPriority({ demos }: Stage, priority: number): void {
  for (const [, server] of processesOf(demos.cluster)) {
    if (server === undefined) continue;
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8');
    for (const pid of [server, ...children.split(' ').filter(Boolean).map(Number)])
      setPriority(pid, priority);
  }
}
