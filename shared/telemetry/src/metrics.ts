import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of this process. Each is declared beside what it measures. */
export const registry = new Registry();

/** Returns a number that only grows. Its name ends in `_total`. */
export const counter = <Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> => new Counter({ name, help, labelNames, registers: [registry] });

/** Creates a histogram of how values are distributed, by upper bounds of buckets. */
export const histogram = <Label extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labelNames: readonly Label[] = [],
): Histogram<Label> =>
  new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] });

/** Buckets in seconds, from a millisecond to a minute. */
export const secondsBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

/** Receives a value of a gauge. Values with the same labels are added up. */
type SetValue<Label extends string> = (value: number, labels?: Readonly<Record<Label, string>>) => void;

/** A number that rises and falls, and that is read when somebody asks. */
export interface ReadGauge<Label extends string> {
  /** Adds something that is measured, until disposed of. */
  watch(read: (set: SetValue<Label>) => void | Promise<void>): Disposable;
}

/** Creates a gauge that costs nothing until it is read. What cannot be read then is left out. */
export function gauge<Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): ReadGauge<Label> {
  const watched = new Set<(set: SetValue<Label>) => void | Promise<void>>();
  const metric: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      metric.reset();
      // Where nothing can be read there is no value, rather than one of 0.
      if (labelNames.length === 0) metric.remove();
      const set: SetValue<Label> = (value, labels) =>
        labels ? metric.inc(labels, value) : metric.inc(value);
      await Promise.allSettled([...watched].map(async (read) => await read(set)));
    },
  });
  return {
    watch(read) {
      watched.add(read);
      return { [Symbol.dispose]: () => void watched.delete(read) };
    },
  };
}

/** A counter that is a plain number, for places where every nanosecond counts. */
export interface Tally {
  count: number;
}

/** Creates a counter for each of a label's values: numbers that are read when somebody asks. */
export function tallies<Value extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): Readonly<Record<Value, Tally>> {
  const counts = values.map((value): [Value, Tally] => [value, { count: 0 }]);
  const metric: Counter = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      metric.reset();
      for (const [value, { count }] of counts) metric.inc({ [label]: value }, count);
    },
  });
  // Safe: there is an entry for each value.
  return Object.fromEntries(counts) as Record<Value, Tally>;
}

/** Creates a counter that is a plain number. */
export function tally(name: string, help: string): Tally {
  const counted: Tally = { count: 0 };
  const metric: Counter = new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      metric.reset();
      metric.inc(counted.count);
    },
  });
  return counted;
}
