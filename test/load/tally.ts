import { type TimedKind, timedKinds } from './kinds.ts';
import { type Latency, MergedHistogram, type Second } from './recorder.ts';

/** A second of the run, over all processes of clients. */
interface SeriesPoint {
  second: number;
  deliveries: Latency;
  /** Requests of all kinds. */
  requests: Latency;
  failures: number;
  /** Connections with a poll under way. */
  parked: number;
}

export interface Totals {
  timed: Partial<Record<TimedKind, Latency>>;
  failures: Record<string, number>;
  deferred: number;
  series: SeriesPoint[];
}

/** What happened in a named part of a run. */
export type Part = Pick<Totals, 'timed' | 'failures'>;

/** Adds up what processes of clients say, from when the load begins. */
export interface Tally {
  add(second: Second): void;
  begin(): void;
  /** What is added from now on belongs to this part as well, however often it begins. */
  beginPart(name: string): void;
  part(name: string): Part;
  totals(): Totals;
  readonly failed: number;
}

interface Bucket {
  deliveries: MergedHistogram;
  requests: MergedHistogram;
  failures: number;
  parked: number;
}

interface Sum {
  failures: Record<string, number>;
  add: (kind: TimedKind, encoded: string) => void;
  timed: () => Totals['timed'];
}

function createSum(): Sum {
  const histograms = new Map<TimedKind, MergedHistogram>();
  return {
    failures: {},
    add(kind, encoded) {
      let total = histograms.get(kind);
      if (!total) histograms.set(kind, (total = new MergedHistogram()));
      total.add(encoded);
    },
    timed: () =>
      Object.fromEntries(
        timedKinds.flatMap((kind) => {
          const histogram = histograms.get(kind);
          return histogram ? [[kind, histogram.latency()]] : [];
        }),
      ),
  };
}

export function createTally(): Tally {
  const whole = createSum();
  const parts = new Map<string, Sum>();
  let sums = [whole];
  const buckets: Bucket[] = [];
  let [startMs, deferred, failed] = [performance.now(), 0, 0];

  function bucketNow(): Bucket {
    const second = Math.max(0, Math.floor((performance.now() - startMs) / 1000));
    while (buckets.length <= second) {
      const histograms = { deliveries: new MergedHistogram(), requests: new MergedHistogram() };
      buckets.push({ ...histograms, failures: 0, parked: 0 });
    }
    const bucket = buckets[second];
    if (!bucket) throw new Error('There is no such second.');
    return bucket;
  }

  return {
    begin() {
      startMs = performance.now();
      buckets.length = 0;
    },
    add(second) {
      const bucket = bucketNow();
      for (const [name, encoded] of Object.entries(second.timed)) {
        // Safe: these are the keys.
        const kind = name as TimedKind;
        for (const sum of sums) sum.add(kind, encoded);
        bucket[kind === 'deliveries' ? 'deliveries' : 'requests'].add(encoded);
      }
      for (const [what, count] of Object.entries(second.failures)) {
        for (const { failures } of sums) failures[what] = (failures[what] ?? 0) + count;
        bucket.failures += count;
        failed += count;
      }
      deferred += second.deferred;
      bucket.parked += second.parked;
    },
    beginPart(name) {
      const part = parts.get(name) ?? createSum();
      parts.set(name, part);
      sums = [whole, part];
    },
    part(name) {
      const { failures = {}, timed } = parts.get(name) ?? {};
      return { failures, timed: timed?.() ?? {} };
    },
    get failed() {
      return failed;
    },
    totals: () => ({
      timed: whole.timed(),
      failures: whole.failures,
      deferred,
      series: buckets.map(({ deliveries, requests, ...rest }, second) => ({
        second,
        deliveries: deliveries.latency(),
        requests: requests.latency(),
        ...rest,
      })),
    }),
  };
}
