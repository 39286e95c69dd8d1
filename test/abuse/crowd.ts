import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Member } from '../chaos/chaos-realm.ts';

/** What the crowd's process is started with. */
export interface CrowdOrders {
  baseUrl: string;
  members: readonly Member[];
}

/**
 * Starts a process of clients that only listen. They would have machines of their own: the servers come before them,
 * and what they do with what they hear holds up nobody who measures.
 */
export function startCrowd(orders: CrowdOrders, failed: (status: number) => void): { stop(): Promise<void> } {
  const child = fork(fileURLToPath(new URL('crowd-main.js', import.meta.url)));
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  // Safe: the process sends nothing else.
  child.on('message', (status) => failed(status as number));
  child.send(orders);
  return {
    async stop() {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}
