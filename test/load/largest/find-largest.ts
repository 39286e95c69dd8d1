import type { Conclusion } from '@parley/infra';

import { grouped, sparkline } from '../../support/picture.ts';
import { type LoadOptions, type LoadReport, anomalies, runLoad } from '../run.ts';
import { searchLargest } from './search.ts';

/** One size that was tried. */
export interface Step {
  pollers: number;
  p50: number;
  p99: number;
  sendsPerSecond: number;
  heard: number;
  /** Percent of one processor, by role. */
  cpu: Record<string, number>;
  /** The stage that the slowest hundredth of deliveries spent most of its time in. */
  slowestStage: string;
  wrong: string[];
  holds: boolean;
}

const least = 20;
const most = 200_000;

/** Runs the load at one size after the other, until it is known which is the largest that is fast enough. */
export async function findLargest(options: LoadOptions, withinMs: number): Promise<Step[]> {
  const steps: Step[] = [];
  await searchLargest({ first: options.pollers, least, most }, async (pollers) => {
    options.say(`${grouped(pollers)} clients …`);
    const report = await runLoad({ ...options, pollers });
    const step = stepOf(report, withinMs);
    steps.push(step);
    options.say(lineOf(step));
    // A machine that has no room for more says so, and goes on with fewer.
    return step.holds && report.pollers === pollers;
  });
  return steps.toSorted((one, other) => one.pollers - other.pollers);
}

function stepOf(report: LoadReport, withinMs: number): Step {
  const wrong = anomalies(report);
  const { p50 = Infinity, p99 = Infinity } = report.timed.deliveries ?? {};
  const parts = report.stages.filter(({ name }) => name !== 'all');
  const [slowest] = parts.toSorted((one, other) => other.slowest - one.slowest);
  return {
    pollers: report.pollers,
    p50,
    p99,
    sendsPerSecond: (report.timed.send?.count ?? 0) / Math.max(1, report.seconds),
    heard: report.heard,
    cpu: report.cpu,
    slowestStage: slowest?.name ?? 'none',
    wrong,
    holds: wrong.length === 0 && p99 <= withinMs,
  };
}

const lineOf = ({ pollers, p50, p99, sendsPerSecond, cpu, slowestStage, wrong, holds }: Step): string => {
  const roles = Object.entries(cpu).map(([role, percent]) => `${role} ${percent} %`);
  const verdict = holds ? 'holds' : wrong.length > 0 ? `does not hold: ${wrong.join(', ')}` : 'does not hold';
  return `  ${grouped(pollers).padStart(8)} clients  p50 ${p50.toFixed(0)} ms  p99 ${p99.toFixed(0)} ms  ${sendsPerSecond.toFixed(1)} sends/s  slowest: ${slowestStage}  ${roles.join(', ')}: ${verdict}`;
};

/** What was found, with each size that was tried. */
export function concludeLargest(steps: readonly Step[], withinMs: number): Conclusion {
  const largest = steps.findLast(({ holds }) => holds);
  const told = `p99 of send to heard is within ${withinMs} ms`;
  return {
    holds: largest !== undefined,
    result: largest
      ? `${grouped(largest.pollers)} clients and ${largest.sendsPerSecond.toFixed(1)} sends a second are the largest size tried at which ${told}: ${largest.p99.toFixed(0)} ms.`
      : `There is no size at which ${told}.`,
    report: { steps },
    text: [...steps.map(lineOf), '', `  p99 by size  ${sparkline(steps.map(({ p99 }) => p99))}`].join('\n'),
  };
}
