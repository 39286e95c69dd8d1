import { type Entry, ID_STEP, type QueueRecord } from '@parley/protocol';

import { memberSets } from './fixtures.test-support.ts';

/** The events of a queue by the contract, computed without any of the code under test. */
export function expectedEvents(log: Entry[], queue: QueueRecord) {
  return log.flatMap(({ seq, audience: { users, members, except = [], open }, event }) => {
    const everyone = [10, 11, 12, 13, 14];
    const named = [...(users ?? []), ...(members ?? []).flatMap((id) => memberSets.get(id) ?? [])];
    const recipients =
      users || members ? [...named, ...(open && queue.allPublicStreams ? [queue.userId] : [])] : everyone;
    if (!recipients.includes(queue.userId) || except.includes(queue.userId)) return [];
    if (seq <= queue.registeredAt || (queue.eventTypes && !queue.eventTypes.includes(event.type))) return [];
    if (event.type === 'own') return [{ ...event, mine: queue.userId, id: seq * ID_STEP }];
    if (event.type === 'note' && event.n !== 'not a number') return [{ ...event, id: seq * ID_STEP }];
    if (event.type !== 'bulk' || !Array.isArray(event.ids)) return [];
    if (queue.client.bulk_message_deletion) return [{ ...event, id: seq * ID_STEP }];
    return event.ids.map((id: number, sub) => ({ type: 'bulk', id_alone: id, id: seq * ID_STEP + sub }));
  });
}
