import type { Cluster } from '@parley/infra';

import type { ChaosRealm } from './chaos-realm.ts';
import { type Listener, startListener } from './listener.ts';
import type { QueueStarts } from './queue-starts.ts';

const registersAtOnce = 25;

/** Registers clients of every kind, and of every member. */
export async function startListeners(
  { baseUrl }: Pick<Cluster, 'baseUrl'>,
  { members }: ChaosRealm,
  count: number,
  starts: QueueStarts,
): Promise<Listener[]> {
  const listeners: Listener[] = [];
  while (listeners.length < count) {
    const first = listeners.length;
    const some = Array.from({ length: Math.min(registersAtOnce, count - first) }, (_, offset) => {
      const number = first + offset;
      // Filters change faster than people, so that everybody has queues of every kind.
      const member = members[Math.floor(number / 6) % members.length];
      if (!member) throw new Error('The realm has no members.');
      return startListener(baseUrl, member, number, starts);
    });
    listeners.push(...(await Promise.all(some)));
  }
  return listeners;
}
