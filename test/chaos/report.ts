import { grouped, sparkline, table } from '../support/picture.ts';
import { anomalies } from './anomalies.ts';
import type { RunReport } from './run-report.ts';

/** A report as JSON has it. */
export function onWire(run: RunReport, anomalyList: string[]) {
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
    silent: run.silent,
    writes_lost: run.writesLost,
    writes_repeated: run.writesRepeated,
    re_registered: run.reRegistered,
    ...(run.scheduled > 0 && {
      scheduled: run.scheduled,
      scheduled_gone: run.scheduledGone,
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

/** A report for people: a table and a picture. */
export function describe(run: RunReport, anomalyList: string[]): string {
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

function outcomeOf(runs: readonly RunReport[]): string {
  const told = runs.reduce((sum, run) => sum + run.reRegistered, 0);
  const gone = runs.reduce((sum, run) => sum + run.writesLost, 0);
  const loss = gone > 0 ? `, ${gone} sends gone with the end of the log, told ${told} times` : '';
  return `0 lost in silence, repeated or reordered${loss}`;
}

/** What some runs found, in one line. */
export function summarize(runs: readonly RunReport[]): string {
  const heard = runs.reduce((sum, run) => sum + run.heard, 0);
  const wrong = runs.flatMap((run) => anomalies(run).map((anomaly) => `${run.scenario}: ${anomaly}`));
  const scheduled = runs.reduce((sum, run) => sum + run.scheduled, 0);
  const parts = [
    ...(scheduled > 0 ? [`${grouped(scheduled)} scheduled messages`] : []),
    `${grouped(heard)} events heard under ${runs.map(({ scenario }) => scenario).join(', ')}`,
    wrong.join(', ') || outcomeOf(runs),
  ];
  return `${parts.join(', ')}.`;
}
