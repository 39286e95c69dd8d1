import { parseArgs } from 'node:util';

import { describeMatrix, runMatrix } from './matrix.ts';
import { mutations } from './mutations.ts';
import { describe, onWire } from './report.ts';
import { anomalies, run } from './run.ts';
import { scenarios } from './scenarios/index.ts';

const usage = `npm run chaos -- --scenario NAME [--seconds 30 | --rounds N] [--queues 500] [--rate 20]
                 [--api 2] [--queue 3] [--worker 2] [--seed 1]
                 [--break GUARANTEE] [--json]

Runs a cluster of real processes, breaks parts of it while clients send and listen, and compares what every
client heard with the log. Exits with 1 if anything was lost, repeated, reordered, leaked or forgotten.

With --rounds it does not go on for a time, but until it has broken each thing that the scenario breaks that
often, with sends getting through before, between and after, however long that takes. Several --scenario run
one after the other in the same cluster.

npm run chaos -- --matrix [--seeds 3] [--scenario NAME …] [--seconds 15] [--json]

Runs every scenario, or those that are named, with each seed, and then breaks each guarantee on purpose under the
scenario that shows it. Exits with 1 on any anomaly, and if a broken guarantee goes unnoticed.

Scenarios:
${scenarios.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

--break shows that the check can fail: ${Object.keys(mutations).join(', ')}.`;

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true, default: [] },
    matrix: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '3' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    queues: { type: 'string', default: '500' },
    rate: { type: 'string', default: '20' },
    api: { type: 'string', default: '2' },
    queue: { type: 'string', default: '3' },
    worker: { type: 'string', default: '2' },
    break: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const chosen = values.scenario.flatMap((name) => scenarios.find((scenario) => scenario.name === name) ?? []);
const areScenariosKnown = (chosen.length > 0 || values.matrix) && chosen.length === values.scenario.length;
const isBreakKnown = values.break === undefined || values.break in mutations;
if (values.help || !areScenariosKnown || !isBreakKnown) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}

/** Progress goes to standard error, so that --json prints one object per scenario and nothing else. */
const say = (line: string) => process.stderr.write(`${line}\n`);

const nodes = { api: Number(values.api), queue: Number(values.queue), worker: Number(values.worker) };
const load = { queues: Number(values.queues), sendsPerSecond: Number(values.rate), nodes };

if (values.matrix) {
  const matrix = await runMatrix({
    ...load,
    scenarios: chosen.length > 0 ? chosen : scenarios.filter(({ name }) => name !== 'calm'),
    seeds: Number(values.seeds),
    seconds: Number(values.seconds ?? 15),
    say,
  });
  process.stdout.write(values.json ? `${JSON.stringify(matrix)}\n` : describeMatrix(matrix));
  process.exit(matrix.failures.length === 0 ? 0 : 1);
}

const reports = await run({
  ...load,
  scenarios: chosen,
  extent:
    values.rounds === undefined
      ? { seconds: Number(values.seconds ?? 30) }
      : { rounds: Number(values.rounds) },
  seed: Number(values.seed),
  mutation: values.break,
  say,
});
for (const report of reports) {
  const anomalyLines = anomalies(report);
  process.stdout.write(
    `${values.json ? JSON.stringify(onWire(report, anomalyLines)) : describe(report, anomalyLines)}\n`,
  );
}
process.exit(reports.every((report) => anomalies(report).length === 0) ? 0 : 1);
