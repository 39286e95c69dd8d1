import { existsSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

import { processesOf } from '../../load/samples.ts';
import type { Stage } from '../area.ts';

/** Has the browser go first where servers want the same processor, as if it had a machine of its own. */
export function setServersPriority({ demos }: Stage, priority: number): void {
  for (const [, server] of processesOf(demos.cluster)) {
    if (server === undefined) continue;
    const listed = `/proc/${server}/task/${server}/children`;
    const children = existsSync(listed) ? readFileSync(listed, 'utf8') : '';
    for (const pid of [server, ...children.split(' ').filter(Boolean).map(Number)])
      setPriority(pid, priority);
  }
}
