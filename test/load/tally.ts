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
  /** How long things take counts from now on. What failed before stays. */
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

/** Requests of some time, added up. */
class Sum {
  readonly failures: Record<string, number> = {};
  private readonly histograms = new Map<TimedKind, MergedHistogram>();

  add(kind: TimedKind, encoded: string): void {
    const total = this.histograms.get(kind) ?? new MergedHistogram();
    this.histograms.set(kind, total);
    total.add(encoded);
  }

  fail(what: string, count: number): void {
    this.failures[what] = (this.failures[what] ?? 0) + count;
  }

  forgetTimes(): void {
    this.histograms.clear();
  }

  timed(): Totals['timed'] {
    return Object.fromEntries(
      timedKinds.flatMap((kind) => {
        const histogram = this.histograms.get(kind);
        return histogram ? [[kind, histogram.latency()]] : [];
      }),
    );
  }
}

export const createTally = (): Tally => new RunTally();

class RunTally implements Tally {
  failed = 0;
  private deferred = 0;
  /** When the first bucket begins. */
  private startMs = performance.now();
  private buckets: Bucket[] = [];
  private readonly whole = new Sum();
  private readonly parts = new Map<string, Sum>();
  /** What is added belongs to these. */
  private sums = [this.whole];

  begin(): void {
    this.startMs = performance.now();
    this.buckets = [];
    this.whole.forgetTimes();
    this.sums = [this.whole];
  }

  beginPart(name: string): void {
    const part = this.parts.get(name) ?? new Sum();
    this.parts.set(name, part);
    this.sums = [this.whole, part];
  }

  part(name: string): Part {
    const part = this.parts.get(name);
    return { failures: part?.failures ?? {}, timed: part?.timed() ?? {} };
  }

  add(second: Second): void {
    const bucket = this.bucketNow();
    for (const [name, encoded] of Object.entries(second.timed)) {
      // Safe: these are the keys.
      const kind = name as TimedKind;
      for (const sum of this.sums) sum.add(kind, encoded);
      bucket[kind === 'deliveries' ? 'deliveries' : 'requests'].add(encoded);
    }
    for (const [what, count] of Object.entries(second.failures)) {
      for (const sum of this.sums) sum.fail(what, count);
      bucket.failures += count;
      this.failed += count;
    }
    this.deferred += second.deferred;
    bucket.parked += second.parked;
  }

  totals(): Totals {
    return {
      timed: this.whole.timed(),
      failures: this.whole.failures,
      deferred: this.deferred,
      series: this.buckets.map(({ deliveries, requests, ...rest }, second) => ({
        second,
        deliveries: deliveries.latency(),
        requests: requests.latency(),
        ...rest,
      })),
    };
  }

  private bucketNow(): Bucket {
    const second = Math.max(0, Math.floor((performance.now() - this.startMs) / 1000));
    while (this.buckets.length <= second) {
      const histograms = { deliveries: new MergedHistogram(), requests: new MergedHistogram() };
      this.buckets.push({ ...histograms, failures: 0, parked: 0 });
    }
    const bucket = this.buckets[second];
    if (!bucket) throw new Error('There is no such second.');
    return bucket;
  }
}
