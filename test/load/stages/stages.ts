/** When the parts of a message's way were over, in milliseconds since 1970. */
export interface Way {
  /** For when the send was meant, and when its client got to it. */
  intendedMs: number;
  askedMs: number;
  /** When it was written to the log, and when its entry was in Redis; null where nobody published it. */
  appendedMs: number;
  publishedMs: number | null;
  /** When each who hears it heard it. */
  heardMs: readonly number[];
}

/** The parts of the way from the moment for which a message was meant to whoever hears it. */
const stageNames = [
  'client is late',
  'send → append',
  'append → publish',
  'publish → first heard',
  'first → each',
] as const;

export interface Stage {
  name: (typeof stageNames)[number] | 'all';
  /** In milliseconds, of all deliveries. */
  mean: number;
  p50: number;
  p99: number;
  /** Of the slowest hundredth of deliveries, the mean: what their time went into. */
  slowest: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / (values.length || 1);

/** What the deliveries of messages spent their time with; empty if there was none. */
export function stagesOf(ways: readonly Way[]): Stage[] {
  const deliveries = ways.flatMap(partsOfDeliveries).toSorted((one, other) => one.all - other.all);
  if (deliveries.length === 0) return [];
  const slowest = deliveries.slice(-Math.ceil(deliveries.length / 100));
  return [...stageNames, 'all' as const].map((name) => {
    const values = deliveries.map((parts) => parts[name]).toSorted((one, other) => one - other);
    const at = (share: number) => values[Math.ceil(share * values.length) - 1] ?? 0;
    return {
      name,
      mean: mean(values),
      p50: at(0.5),
      p99: at(0.99),
      slowest: mean(slowest.map((parts) => parts[name])),
    };
  });
}

type Parts = Record<Stage['name'], number>;

function partsOfDeliveries({ intendedMs, askedMs, appendedMs, publishedMs, heardMs }: Way): Parts[] {
  const firstMs = heardMs.reduce((least, one) => Math.min(least, one), Infinity);
  return heardMs.map((atMs) => {
    const ends = [askedMs, appendedMs, publishedMs ?? appendedMs, firstMs, atMs];
    const parts: Partial<Parts> = { all: atMs - intendedMs };
    // Clocks that are read in whole milliseconds may go back by one: what one part gains, the next loses.
    let [endMs, rest] = [intendedMs, [...stageNames]];
    for (const end of ends) {
      const [name, ...others] = rest;
      if (!name) break;
      parts[name] = Math.max(0, end - endMs);
      endMs = Math.max(endMs, end);
      rest = others;
    }
    // Safe: there are as many ends as names.
    return parts as Parts;
  });
}
