import { type Tally, gauge, tallies, tally } from '@parley/telemetry';

import type { Polls } from './core/polls.ts';
import type { Realm, Realms } from './log/realms.ts';

const parkedPolls = gauge('parley_queue_parked_polls', 'Polls that wait for an event');
const ringRealms = gauge('parley_queue_realms', 'Organizations whose logs this node follows');
const ringEntries = gauge('parley_queue_ring_entries', 'Recent log entries in memory');
const ringBytes = gauge('parley_queue_ring_bytes', 'Memory of recent log entries');
/** Polls that were answered: with events, with a heartbeat, with nothing. */
export const answers = tallies('parley_queue_answers_total', 'Polls that were answered, by outcome', 'kind', [
  'events',
  'heartbeat',
  'nothing',
]);
export const delivered: Tally = tally(
  'parley_queue_delivered_events_total',
  'Events in the answers to polls',
);

/** Measures a queue node until disposed of. */
export function measureQueueNode({
  polls,
  realms,
}: {
  polls: Pick<Polls<never>, 'size'>;
  realms: Pick<Realms, 'all' | 'budget'>;
}): Disposable {
  const sum = (valueOf: (realm: Realm) => number) => (set: (value: number) => void) => {
    let total = 0;
    for (const realm of realms.all()) total += valueOf(realm);
    set(total);
  };
  const measuring = [
    parkedPolls.watch((set) => set(polls.size)),
    ringRealms.watch(sum(() => 1)),
    ringEntries.watch(sum(({ ring }) => ring.kept.entries)),
    ringBytes.watch((set) => set(realms.budget.bytes)),
  ];
  return {
    [Symbol.dispose]() {
      for (const one of measuring) one[Symbol.dispose]();
    },
  };
}
