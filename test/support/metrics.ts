import { createLogger } from '@parley/kit';
import { startOperationsServer } from '@parley/telemetry';

/** What a process measures at one moment. */
export interface Measured {
  /** Sum of the values of a metric whose labels are these, and any others. */
  of(name: string, labels?: Record<string, string>): number;
  /** The sums of a metric by the values of a label. */
  by(name: string, label: string): Record<string, number>;
  /** The values that a label of a metric has. */
  valuesOf(name: string, label: string): string[];
}

/** Asks this process, in which the nodes of the tests run, for its metrics, as a scraper does. */
export async function scrape(): Promise<Measured> {
  await using server = await startOperationsServer({
    role: 'test',
    port: 0,
    host: '127.0.0.1',
    logger: createLogger({ role: 'test', level: 'silent' }),
  });
  const response = await fetch(`http://127.0.0.1:${server?.port}/metrics`);
  return readMetrics(await response.text());
}

/** Parses the text that scrapers are sent. */
export function readMetrics(text: string): Measured {
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]),
      ),
      value: Number(value),
    }),
  );
  const measured: Measured = {
    of: (name, wanted = {}) =>
      samples
        .filter(
          (sample) =>
            sample.name === name &&
            Object.entries(wanted).every(([key, value]) => sample.labels[key] === value),
        )
        .reduce((sum, { value }) => sum + value, 0),
    by: (name, label) =>
      Object.fromEntries(
        measured.valuesOf(name, label).map((value) => [value, measured.of(name, { [label]: value })]),
      ),
    valuesOf: (name, label) => [
      ...new Set(samples.flatMap((sample) => (sample.name === name ? [sample.labels[label] ?? ''] : []))),
    ],
  };
  return measured;
}
