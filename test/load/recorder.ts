import {
  type Histogram,
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
} from 'hdr-histogram-js';

import type { TimedKind } from './kinds.ts';

/** What happened in a second, as one process tells another: histograms of microseconds, and failures in words. */
export interface Second {
  timed: Partial<Record<TimedKind, string>>;
  failures: Record<string, number>;
  /** Replies that told a client to come back later, which it did. */
  deferred: number;
  /** Connections with a poll under way. */
  parked: number;
}

const tenMinutes = 600_000_000;

const empty = () =>
  build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: tenMinutes,
    numberOfSignificantValueDigits: 3,
  });

/** Records how long things took in one process, second by second. */
export interface Recorder {
  /** Counts from the moment for which a thing was meant, so that what had to wait for its turn counts as late. */
  record(kind: TimedKind, intendedMs: number): void;
  fail(what: string): void;
  defer(): void;
  /** What was recorded since the last call. */
  flush(parked: number): Second;
}

/** Milliseconds since 1970, finer than the system's clock is read as a rule. */
export const preciseNowMs = () => performance.timeOrigin + performance.now();

export function createRecorder(): Recorder {
  const timed = new Map<TimedKind, Histogram>();
  let failures: Record<string, number> = {};
  let deferred = 0;
  return {
    record(kind, intendedMs) {
      let histogram = timed.get(kind);
      if (!histogram) timed.set(kind, (histogram = empty()));
      const micros = Math.round((preciseNowMs() - intendedMs) * 1000);
      histogram.recordValue(Math.min(Math.max(micros, 1), tenMinutes));
    },
    fail(what) {
      failures[what] = (failures[what] ?? 0) + 1;
    },
    defer() {
      deferred += 1;
    },
    flush(parked) {
      const second: Second = { timed: {}, failures, deferred, parked };
      for (const [kind, histogram] of timed) {
        if (histogram.totalCount === 0) continue;
        second.timed[kind] = encodeIntoCompressedBase64(histogram);
        histogram.reset();
      }
      failures = {};
      deferred = 0;
      return second;
    },
  };
}

export interface Latency {
  count: number;
  p50: number;
  p90: number;
  p99: number;
  p999: number;
  max: number;
}

/** Histograms of several processes as one. They are read in the end: that takes a processor, which servers want meanwhile. */
export class MergedHistogram {
  private readonly encoded: string[] = [];

  add(encoded: string): void {
    this.encoded.push(encoded);
  }

  /** In milliseconds. */
  latency(): Latency {
    const histogram = empty();
    for (const one of this.encoded) histogram.add(decodeFromCompressedBase64(one));
    const at = (percentile: number) => Math.round(histogram.getValueAtPercentile(percentile) / 10) / 100;
    return {
      count: histogram.totalCount,
      p50: at(50),
      p90: at(90),
      p99: at(99),
      p999: at(99.9),
      max: at(100),
    };
  }
}
