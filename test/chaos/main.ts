import { conclude, readArguments, refuseArguments, sayProgress as say } from '@parley/infra';

import { anomalies } from './anomalies.ts';
import { describeMatrix, runMatrix, summarizeMatrix } from './matrix.ts';
import { mutations } from './mutations.ts';
import { describe, onWire, summarize } from './report.ts';
import { run } from './run.ts';
import { scenarios } from './scenarios/index.ts';

const usage = `npm run chaos -- --scenario NAME [--seconds 30 | --rounds N] [--queues 500] [--rate 20]
                 [--api 2] [--queue 3] [--worker 2] [--messages 10000] [--seed 1]
                 [--break GUARANTEE] [--json]

Runs a cluster of real processes, breaks parts of it while clients send and listen, and compares what every
client heard with the log. Exits with 1 if anything was lost, repeated, reordered, leaked or forgotten.

With --rounds it does not go on for a time, but until it has broken each thing that the scenario breaks that
often, with sends getting through before, between and after, however long that takes. Several --scenario run
one after the other in the same cluster. --messages are scheduled by burst and outage.

npm run chaos -- --matrix [--seeds 3] [--scenario NAME …] [--seconds 15] [--json]

Runs every scenario but burst and outage, or those that are named, with each seed, and then breaks each guarantee on purpose under the
scenario that shows it. Exits with 1 on any anomaly, and if a broken guarantee goes unnoticed.

Scenarios:
${scenarios.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

--break shows that the check can fail: ${Object.keys(mutations).join(', ')}.`;

const { values } = readArguments(usage, {
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
  messages: { type: 'string', default: '10000' },
  break: { type: 'string' },
  seed: { type: 'string', default: '1' },
});
const chosen = values.scenario.flatMap((name) => scenarios.find((scenario) => scenario.name === name) ?? []);
if (chosen.length < values.scenario.length) refuseArguments(usage, 'There is no such scenario.');
if (chosen.length === 0 && !values.matrix) refuseArguments(usage, 'Name a scenario, or run the matrix.');
if (values.break !== undefined && !(values.break in mutations)) {
  refuseArguments(usage, 'There is no such guarantee.');
}

const nodes = { api: Number(values.api), queue: Number(values.queue), worker: Number(values.worker) };
const load = {
  queues: Number(values.queues),
  sendsPerSecond: Number(values.rate),
  messages: Number(values.messages),
  nodes,
};

if (values.matrix) {
  const matrix = await runMatrix({
    ...load,
    scenarios: chosen.length > 0 ? chosen : scenarios.filter(({ isApart = false }) => !isApart),
    seeds: Number(values.seeds),
    seconds: Number(values.seconds ?? 15),
    say,
  });
  conclude(values.json, {
    holds: matrix.failures.length === 0,
    result: summarizeMatrix(matrix),
    report: matrix,
    text: describeMatrix(matrix),
  });
  process.exit();
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
conclude(values.json, {
  holds: reports.every((report) => anomalies(report).length === 0),
  result: summarize(reports),
  report: { runs: reports.map((report) => onWire(report, anomalies(report))) },
  text: reports.map((report) => describe(report, anomalies(report))).join('\n'),
});
process.exit();
