import { parseArgs } from 'node:util';

import { sparkline, table } from '../support/picture.ts';
import { mutations } from './mutations.ts';
import { type RunReport, anomalies, run } from './run.ts';
import { scenarios } from './scenarios/index.ts';

const usage = `npm run chaos -- --scenario NAME [--seconds 30 | --rounds N] [--queues 500] [--rate 20]
                 [--api 2] [--queue 3] [--worker 2] [--seed 1]
                 [--break GUARANTEE] [--json]

Runs a cluster of real processes, breaks parts of it while clients send and listen, and compares what every
client heard with the log. Exits with 1 if anything was lost, repeated, reordered, leaked or forgotten.

With --rounds it does not go on for a time, but until it has broken each thing that the scenario breaks that
often, with sends getting through before, between and after, however long that takes. Several --scenario run
one after the other in the same cluster.

Scenarios:
${scenarios.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

--break shows that the check can fail: ${Object.keys(mutations).join(', ')}.`;

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '30' },
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
const areScenariosKnown = chosen.length > 0 && chosen.length === values.scenario.length;
const isBreakKnown = values.break === undefined || values.break in mutations;
if (values.help || !areScenariosKnown || !isBreakKnown) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}

/** Progress goes to standard error, so that --json prints one object per scenario and nothing else. */
const say = (line: string) => process.stderr.write(`${line}\n`);

const reports = await run({
  scenarios: chosen,
  extent:
    values.rounds === undefined ? { seconds: Number(values.seconds) } : { rounds: Number(values.rounds) },
  queues: Number(values.queues),
  seed: Number(values.seed),
  sendsPerSecond: Number(values.rate),
  nodes: { api: Number(values.api), queue: Number(values.queue), worker: Number(values.worker) },
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

function onWire(run: RunReport, anomalyList: string[]) {
  return {
    scenario: run.scenario,
    seed: run.seed,
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
    ...(run.scheduled > 0 && {
      scheduled: run.scheduled,
      scheduled_lost: run.scheduledLost,
      scheduled_repeated: run.scheduledRepeated,
      scheduled_unended: run.scheduledUnended,
      scheduled_reordered: run.scheduledReordered,
      lateness_p50_ms: Math.round(run.latenessMs.p50),
      lateness_p99_ms: Math.round(run.latenessMs.p99),
      lateness_max_ms: Math.round(run.latenessMs.max),
    }),
    ...(run.asked > 0 && {
      asked: run.asked,
      webhooks_lost: run.webhooksLost,
      webhooks_reordered: run.webhooksReordered,
      webhooks_elsewhere: run.webhooksElsewhere,
      answers_lost: run.answersLost,
      answers_repeated: run.answersRepeated,
    }),
    retried_polls: run.retried,
    longest_pause_ms: run.longestPauseMs,
    slowest_answer_ms: run.slowestAnswerMs,
    anomalies: anomalyList,
  };
}

function describe(run: RunReport, anomalyList: string[]): string {
  const faults = run.heardPerSecond
    .map((_, second) => (run.faultSeconds.includes(second) ? '×' : ' '))
    .join('');
  const rows = Object.entries(onWire(run, anomalyList)).flatMap(
    ([name, value]): [string, string | number][] =>
      Array.isArray(value) ? [] : [[name.replaceAll('_', ' '), value]],
  );
  const verdict =
    anomalyList.length === 0
      ? 'Every client heard exactly what the log says.'
      : `NOT what the log says: ${anomalyList.join(', ')}.${run.keptIn ? ` The nodes' logs are in ${run.keptIn}/logs.` : ''}`;
  return `\n${table(rows)}\n\n  heard, second by second (× = fault)\n  ${sparkline(run.heardPerSecond)}\n  ${faults}\n\n${verdict}`;
}
