import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

import { processesOf } from '../../load/samples.ts';
import type { Stage } from '../area.ts';

/** Has the browser go first where servers want the same processor, as if it had a machine of its own. */
export function setServersPriority({ demos }: Stage, priority: number): void {
  for (const [, server] of processesOf(demos.cluster)) {
    if (server === undefined) continue;
    // Linux has a priority of each thread: those that a process starts later begin with that of the thread that starts them.
    for (const thread of threadsOf(server)) {
      try {
        setPriority(thread, priority);
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

/** The threads of a process and of its children. */
function threadsOf(process: number): number[] {
  const listed = `/proc/${process}/task`;
  if (!existsSync(listed)) return [process];
  return readdirSync(listed).flatMap((thread) => {
    const children = `${listed}/${thread}/children`;
    // A thread may end meanwhile.
    const pids = existsSync(children) ? readFileSync(children, 'utf8').split(' ').filter(Boolean) : [];
    return [Number(thread), ...pids.map(Number).flatMap(threadsOf)];
  });
}
