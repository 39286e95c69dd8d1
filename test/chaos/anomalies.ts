import type { RunReport } from './run-report.ts';

/** What no run may show. */
const zeros = [
  'lost',
  'repeated',
  'reordered',
  'leaked',
  'silent',
  'writesLost',
  'writesRepeated',
  'reRegistered',
  'scheduledLost',
  'scheduledRepeated',
  'scheduledUnended',
  'scheduledReordered',
  'webhooksLost',
  'webhooksReordered',
  'webhooksElsewhere',
  'answersLost',
  'answersRepeated',
] as const;

/** What a run shows where the end of the log is lost: that is gone, and everybody is told. */
const expectedOfLoss = new Set<string>(['writesLost', 'reRegistered']);

/** Returns what a run shows and should not, in words. */
export function anomalies(report: RunReport): string[] {
  const { losesHistory, queues, reRegistered } = report;
  const lines = zeros
    .filter((name) => report[name] > 0 && !(losesHistory && expectedOfLoss.has(name)))
    .map((name) => `${name}: ${report[name]}`);
  if (report.acknowledged < report.sent) {
    const tries = Object.entries(report.unacknowledgedTries).map(([status, count]) => `${count} × ${status}`);
    lines.push(`unacknowledged: ${report.sent - report.acknowledged} (tries by status: ${tries.join(', ')})`);
  }
  if (report.heard === 0) lines.push('nothing was heard');
  if (losesHistory && report.writesLost === 0) lines.push('nothing was lost that had been acknowledged');
  if (losesHistory && reRegistered < queues) lines.push(`told: ${reRegistered} of ${queues}`);
  return lines;
}
