import type { Entry, QueueRecord } from '@parley/protocol';

import { memberSets } from './fixtures.test-support.ts';

/** The id of an event of an entry that becomes so many, counted without any of the code under test. */
export function idOf({ idForm, registeredAt }: QueueRecord, seq: number, sub = 0, count = 1): number {
  if (idForm === 'wide') return seq * 1_000_000 + sub;
  // Three ids are for its events; more events end where those three do.
  const first = (seq - registeredAt) * 8 - 3;
  return count <= 3 ? first + sub : first + 3 - count + sub;
}

/** The events of a queue by the contract, computed without any of the code under test. */
export function expectedEvents(log: Entry[], queue: QueueRecord) {
  return log.flatMap(({ seq, audience: { users, members, except = [], open }, event }) => {
    const everyone = [10, 11, 12, 13, 14];
    const named = [...(users ?? []), ...(members ?? []).flatMap((id) => memberSets.get(id) ?? [])];
    const recipients =
      users || members ? [...named, ...(open && queue.allPublicStreams ? [queue.userId] : [])] : everyone;
    if (!recipients.includes(queue.userId) || except.includes(queue.userId)) return [];
    if (seq <= queue.registeredAt || (queue.eventTypes && !queue.eventTypes.includes(event.type))) return [];
    const id = idOf(queue, seq);
    if (event.type === 'own') return [{ ...event, mine: queue.userId, id }];
    if (event.type === 'note' && event.n !== 'not a number') return [{ ...event, id }];
    if (event.type !== 'bulk' || !Array.isArray(event.ids)) return [];
    if (queue.client.bulk_message_deletion) return [{ ...event, id }];
    const count = event.ids.length;
    return event.ids.map((alone: number, sub) => ({
      type: 'bulk',
      id_alone: alone,
      id: idOf(queue, seq, sub, count),
    }));
  });
}
