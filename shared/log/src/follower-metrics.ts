import { partitionOf } from '@parley/redis';
import { type Tally, gauge, tallies, tally } from '@parley/telemetry';

import type { Sequencer } from './sequencer.ts';

/** Entries that were passed on, by what brought them. */
export const received = tallies(
  'parley_log_entries_total',
  'Log entries that reached this process, by where they came from',
  'carrier',
  ['redis', 'postgres'],
);
export const waits: Tally = tally(
  'parley_log_sequencer_waits_total',
  'How often entries of a log had to wait for an earlier one',
);
export const holesFilled: Tally = tally(
  'parley_log_holes_filled_total',
  'Holes in the stream from Redis that were filled from Postgres',
);
const head = gauge('parley_log_head', 'Sum of the heads of the logs that this process follows', [
  'partition',
]);
const lag = gauge(
  'parley_log_lag_entries',
  'Entries that were in Postgres at the last comparison and have not reached this process yet',
  ['partition'],
);
const streamUp = gauge('parley_log_stream_up', 'Whether the stream of a partition can be read', [
  'partition',
]);

/** A log as far as it is measured. */
export interface FollowedLog {
  id: number;
  /** The head that Postgres had when it was last compared. */
  knownHead: number;
  sequencer: Sequencer | null;
}

/** Measures the logs that a process follows, and the streams that it reads, until disposed of. */
export function measureLogs(
  logs: () => Iterable<FollowedLog>,
  streams: ReadonlyMap<number, { isUp: boolean }>,
  partitions: number,
): Disposable {
  const perLog = (valueOf: (log: FollowedLog, head: number) => number) => {
    return (set: (value: number, labels: { partition: string }) => void) => {
      for (const log of logs()) {
        if (log.sequencer)
          set(valueOf(log, log.sequencer.head), { partition: `${partitionOf(log.id, partitions)}` });
      }
    };
  };
  const measuring = [
    head.watch(perLog((_, head) => head)),
    lag.watch(perLog(({ knownHead }, head) => Math.max(0, knownHead - head))),
    streamUp.watch((set) => {
      for (const [partition, { isUp }] of streams) set(isUp ? 1 : 0, { partition: `${partition}` });
    }),
  ];
  return {
    [Symbol.dispose]() {
      for (const one of measuring) one[Symbol.dispose]();
    },
  };
}
