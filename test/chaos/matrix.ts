import { bars, grouped } from '../support/picture.ts';
import { anomalies } from './anomalies.ts';
import { mutations } from './mutations.ts';
import { onWire } from './report.ts';
import type { RunReport } from './run-report.ts';
import { type RunOptions, run } from './run.ts';
import { type Scenario, scenarios as allScenarios } from './scenarios/index.ts';

interface MatrixOptions extends Pick<RunOptions, 'queues' | 'sendsPerSecond' | 'messages' | 'nodes' | 'say'> {
  scenarios: readonly Scenario[];
  /** Each scenario is run with the seeds from 1 to this number. */
  seeds: number;
  /** How long each run goes on. */
  seconds: number;
}

/** A guarantee that was broken on purpose. */
interface Mutant {
  guarantee: string;
  scenario: string;
  /** What the checker counts when this guarantee is broken, and how often it did. */
  counted: string;
  times: number;
}

interface Matrix {
  runs: ReturnType<typeof onWire>[];
  mutants: Mutant[];
  heard: number;
  /** What must not be, in words. */
  failures: string[];
}

/** Runs every scenario with every seed, then each broken guarantee under the scenario that shows it. */
export async function runMatrix({ scenarios, seeds, seconds, say, ...load }: MatrixOptions): Promise<Matrix> {
  const reports: RunReport[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    say(`Seed ${seed} of ${seeds}: ${scenarios.length} scenarios`);
    reports.push(...(await run({ ...load, scenarios, seed, extent: { seconds }, mutation: undefined, say })));
  }
  const mutants: Mutant[] = [];
  for (const [guarantee, { under, counted }] of Object.entries(mutations)) {
    if (counted === null) continue;
    say(`Broken on purpose: ${guarantee}, under ${under}`);
    const underThis = allScenarios.filter(({ name }) => name === under);
    const broken = { ...load, queues: 60, scenarios: underThis, seed: 1, extent: { rounds: 1 }, say };
    const [report] = await run({ ...broken, mutation: guarantee });
    if (!report) throw new Error(`There is no scenario ${under}.`);
    const counts: Record<string, unknown> = onWire(report, []);
    mutants.push({ guarantee, scenario: under, counted, times: Number(counts[counted]) });
  }
  const runs = reports.map((report) => onWire(report, anomalies(report)));
  return {
    runs,
    mutants,
    heard: runs.reduce((sum, { heard }) => sum + heard, 0),
    failures: [
      ...runs.flatMap(({ scenario, seed, anomalies: found }) =>
        found.map((anomaly) => `${scenario}, seed ${seed}: ${anomaly}`),
      ),
      ...mutants.flatMap(({ guarantee, times }) =>
        times > 0 ? [] : [`nobody noticed that this was broken: ${guarantee}`],
      ),
    ],
  };
}

const columns = ['faults', 'sent', 'heard', 'silent', 'lost', 'repeated', 'reordered', 'leaked'] as const;

/** The matrix for people: a row for each scenario, over all seeds, a row for each broken guarantee, and a picture. */
export function describeMatrix({ runs, mutants, failures }: Matrix): string {
  const names = [...new Set(runs.map(({ scenario }) => scenario))];
  const rows = names.map((name) => {
    const some = runs.filter(({ scenario }) => scenario === name);
    const total = (key: (typeof columns)[number] | 'writes_lost' | 'writes_repeated' | 're_registered') =>
      some.reduce((sum, one) => sum + one[key], 0);
    return [
      name,
      some.length,
      ...columns.map(total),
      total('writes_lost'),
      total('writes_repeated'),
      total('re_registered'),
      some.reduce((sum, one) => sum + one.anomalies.length, 0),
      Math.max(...some.map(({ longest_pause_ms }) => longest_pause_ms)),
    ];
  });
  const heading = ['scenario', 'runs', ...columns, 'gone', 'twice', 'told', 'anomalies', 'pause ms'];
  const pauses = rows.map((row): [string, number] => [String(row[0]), Number(row.at(-1))]);
  const broken = mutants.map(({ guarantee, scenario, counted, times }) => [
    guarantee,
    scenario,
    counted,
    times,
  ]);
  return `
${grid([heading, ...rows])}

  the longest time from the log to a client, ms
${bars(pauses)}

${grid([['broken on purpose', 'scenario', 'counted', 'times'], ...broken])}${failures.map((line) => `\n  NOT as it should be: ${line}`).join('')}`;
}

/** The matrix in one line. */
export function summarizeMatrix({ runs, mutants, heard, failures }: Matrix): string {
  const found =
    failures.length === 0
      ? `0 lost, repeated or reordered; each of ${mutants.length} broken guarantees noticed`
      : `NOT as it should be in ${failures.length} ways, of which one is ${failures[0]}`;
  return `${grouped(heard)} events heard in ${runs.length} runs, ${found}.`;
}

/** Columns: the first left-aligned, the others right-aligned. */
function grid(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? String(cell).padEnd(widths[0] ?? 0) : String(cell).padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
