import { parseArgs } from 'node:util';

import { sparkline, table } from '../support/picture.ts';
import { mutations } from './mutations.ts';
import { type RunReport, anomalies, run } from './run.ts';
import { scenarios } from './scenarios.ts';

const usage = `npm run chaos -- --scenario NAME [--seconds 30] [--queues 500] [--rate 20] [--api 2] [--queue 3]
                 [--break GUARANTEE] [--json]

Runs a cluster of real processes, breaks parts of it while clients send and listen, and compares what every
client heard with the log. Exits with 1 if anything was lost, repeated, reordered, leaked or forgotten.

Scenarios:
${scenarios.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

--break shows that the check can fail: ${Object.keys(mutations).join(', ')}.`;

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    seconds: { type: 'string', default: '30' },
    queues: { type: 'string', default: '500' },
    rate: { type: 'string', default: '20' },
    api: { type: 'string', default: '2' },
    queue: { type: 'string', default: '3' },
    break: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const scenario = scenarios.find(({ name }) => name === values.scenario);
const isBreakKnown = values.break === undefined || values.break in mutations;
if (values.help || !scenario || !isBreakKnown) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}

/** Progress goes to standard error, so that --json prints one object and nothing else. */
const say = (line: string) => process.stderr.write(`${line}\n`);

const report = await run({
  scenario,
  seconds: Number(values.seconds),
  queues: Number(values.queues),
  sendsPerSecond: Number(values.rate),
  nodes: { api: Number(values.api), queue: Number(values.queue), worker: 1 },
  mutation: values.break,
  say,
});
const found = anomalies(report);
process.stdout.write(
  values.json ? `${JSON.stringify(onWire(report, found))}\n` : `${describe(report, found)}\n`,
);
process.exit(found.length === 0 ? 0 : 1);

function onWire(run: RunReport, anomaliesFound: string[]) {
  return {
    scenario: run.scenario,
    seconds: run.seconds,
    queues: run.queues,
    faults: run.faults,
    sent: run.sent,
    acknowledged: run.acknowledged,
    heard: run.heard,
    lost: run.lost,
    repeated: run.repeated,
    reordered: run.reordered,
    leaked: run.leaked,
    writes_lost: run.writesLost,
    writes_repeated: run.writesRepeated,
    re_registered: run.reRegistered,
    retried_polls: run.retried,
    longest_pause_ms: run.longestPauseMs,
    anomalies: anomaliesFound,
  };
}

function describe(run: RunReport, anomaliesFound: string[]): string {
  const faults = run.heardPerSecond
    .map((_, second) => (run.faultSeconds.includes(second) ? '×' : ' '))
    .join('');
  const rows = Object.entries(onWire(run, anomaliesFound)).flatMap(
    ([name, value]): [string, string | number][] =>
      Array.isArray(value) ? [] : [[name.replaceAll('_', ' '), value]],
  );
  const verdict =
    anomaliesFound.length === 0
      ? 'Every client heard exactly what the log says.'
      : `NOT what the log says: ${anomaliesFound.join(', ')}.${run.keptIn ? ` The nodes' logs are in ${run.keptIn}/logs.` : ''}`;
  return `\n${table(rows)}\n\n  heard, second by second (× = fault)\n  ${sparkline(run.heardPerSecond)}\n  ${faults}\n\n${verdict}`;
}
