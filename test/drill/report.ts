import type { Conclusion } from '@parley/infra';

import { grouped, sparkline, table } from '../support/picture.ts';
import type { Fate, Seen } from './clients.ts';
import type { FilesCompared } from './compare-files.ts';
import type { RowsCompared } from './compare-rows.ts';
import type { Restored } from './disaster.ts';
import type { Mistake } from './mistake.ts';
import type { BroughtBack } from './organization.ts';
import type { Verified } from './verify-files.ts';

export interface DrillReport extends Seen {
  tool: string;
  /** Messages that there were before. */
  messages: number;
  /** The size of the database before it was destroyed. */
  mebibytes: number;
  /** How long clients sent before the disaster. */
  seconds: number;
  times: Restored & { beganMs: number };
  /** What was deleted by mistake, and how much of it is back; null when all was destroyed. */
  mistake: (Mistake & { back: number }) | null;
  files: FilesCompared;
  verified: Verified;
  rows: RowsCompared;
  /** One organization that was taken out of the restored copy. */
  broughtBack: BroughtBack;
}

/** The most that may be lost, and the longest that nobody can send. */
const goals = { rpoMs: 5000, rtoMs: 120_000 };

/** How long before the disaster, or the mistake, the oldest was acknowledged that is gone. */
export function rpoOf({ times, mistake, sends, uploads, files }: DrillReport): number {
  const untilMs = mistake?.beforeMs ?? times.destroyedMs;
  const ages = [...sends.lost, ...uploads.lost].map(({ endedMs }) => untilMs - endedMs);
  return Math.max(0, ...ages, ...files.lost.map(({ ageMs }) => ageMs));
}

/** How long after the disaster the first send got through. */
export function rtoOf({ times, acknowledgedMs }: DrillReport): number {
  const after = acknowledgedMs.filter((ms) => ms >= times.laidOutMs);
  return Math.max(times.writableMs, Math.min(...after)) - times.destroyedMs;
}

/** Whatever was acknowledged after the restore has to be there. */
const lostSince = ({ lost }: Fate, ms: number): number => lost.filter(({ endedMs }) => endedMs >= ms).length;

/** What must not be after a return to the moment before a mistake: nothing of before is gone, and nothing since is there. */
function leftOf({ mistake, times, sends, uploads }: DrillReport): Record<string, number> {
  if (!mistake) return {};
  const isOfBefore = ({ endedMs }: { endedMs: number }) => endedMs <= mistake.beforeMs;
  const isSince = ({ startedMs, endedMs }: { startedMs: number; endedMs: number }) =>
    startedMs > mistake.beforeMs && endedMs < times.destroyedMs;
  return {
    'acknowledged before the mistake, and gone': [...sends.lost, ...uploads.lost].filter(isOfBefore).length,
    'sent since the mistake, and there': sends.kept.filter(isSince).length,
    'deleted by mistake, and not back': mistake.messageIds.length - mistake.back,
  };
}

/** Returns what a drill shows and should not, in words. */
export function offencesOf(report: DrillReport): string[] {
  const { verdict, outcomes, sends, uploads, files, verified, rows, times, broughtBack } = report;
  const zeros = {
    silent: outcomes.silent,
    repeated: verdict.repeated,
    reordered: verdict.reordered,
    'written twice': verdict.writesRepeated,
    'files damaged': uploads.damaged + files.damaged.length + verified.damaged,
    'files missing': verified.missing,
    'rows missing': rows.missing,
    'files missing beside the organization that came back': broughtBack.verified.missing,
    'lost after the restore': lostSince(sends, times.laidOutMs) + lostSince(uploads, times.laidOutMs),
    ...leftOf(report),
  };
  return [
    ...(rpoOf(report) > goals.rpoMs ? [`RPO above ${goals.rpoMs / 1000} s`] : []),
    ...(rtoOf(report) > goals.rtoMs ? [`RTO above ${goals.rtoMs / 1000} s`] : []),
    ...Object.entries(zeros).flatMap(([what, count]) => (count > 0 ? [`${what}: ${count}`] : [])),
    ...(broughtBack.isSame && broughtBack.messages > 0
      ? []
      : ['the organization did not come back as it was']),
    ...(verdict.heard === 0 ? ['nothing was heard'] : []),
    ...(rows.rows < report.messages || files.same === 0 || report.mistake?.messageIds.length === 0
      ? ['nothing was compared']
      : []),
  ];
}

const secondsOf = (ms: number) => (ms / 1000).toFixed(1);

/** What was found, in one line. */
export function summarize(report: DrillReport): string {
  const { outcomes, sends, uploads, files, rows, messages, mistake } = report;
  const wrong = offencesOf(report);
  return [
    `RPO ${secondsOf(rpoOf(report))} s, RTO ${secondsOf(rtoOf(report))} s with ${grouped(messages)} messages`,
    ...(mistake
      ? [
          `${grouped(mistake.back)} of ${grouped(mistake.messageIds.length)} messages back that were deleted by mistake`,
        ]
      : []),
    `${sends.lost.length} of ${sends.acknowledged} sends and ${uploads.lost.length} of ${uploads.acknowledged} files gone`,
    `clients: ${outcomes.heard} heard all, ${outcomes.told} told, ${outcomes.silent} silent`,
    `one organization brought back with ${grouped(report.broughtBack.messages)} messages`,
    `${grouped(rows.rows)} rows and ${grouped(files.same)} files as they were${wrong.length > 0 ? `; NOT as it should be: ${wrong.join(', ')}` : ''}.`,
  ].join('; ');
}

/** A report as JSON has it. */
function onWire(report: DrillReport) {
  const { times, outcomes, sends, uploads, files, verified, rows, verdict } = report;
  return {
    tool: report.tool,
    deleted_by_mistake: report.mistake?.messageIds.length ?? 0,
    deleted_by_mistake_and_back: report.mistake?.back ?? 0,
    messages: report.messages,
    database_mebibytes: report.mebibytes,
    rpo_ms: rpoOf(report),
    rto_ms: rtoOf(report),
    laid_out_ms: times.laidOutMs - times.destroyedMs,
    log_of_writes_read_ms: times.writableMs - times.laidOutMs,
    sends_acknowledged: sends.acknowledged,
    sends_gone: sends.lost.length,
    uploads_acknowledged: uploads.acknowledged,
    uploads_gone: uploads.lost.length,
    clients_heard_all: outcomes.heard,
    clients_told: outcomes.told,
    clients_silent: outcomes.silent,
    events_heard: verdict.heard,
    tables_compared: rows.tables,
    rows_compared: rows.rows,
    rows_missing: rows.missing,
    rows_newer_than_the_archive: rows.newer,
    files_as_they_were: files.same,
    files_newer_than_the_archive: files.lost.length,
    files_damaged: files.damaged.length,
    rows_without_file: verified.missing,
    messages_of_one_organization_brought_back: report.broughtBack.messages,
    offences: offencesOf(report),
  };
}

/** A report for people: a table and a picture. */
function describe(report: DrillReport): string {
  const { times, acknowledgedMs, outcomes, verdict, rows } = report;
  const entries = Object.entries(onWire(report)).flatMap(([name, value]): [string, string | number][] => {
    const words = name.replaceAll('_', ' ');
    if (Array.isArray(value)) return [];
    return [[words, typeof value === 'number' ? grouped(Math.round(value)) : value]];
  });
  const secondOf = (ms: number) => Math.floor((ms - times.beganMs) / 1000);
  const perSecond = Array.from({ length: secondOf(Math.max(...acknowledgedMs)) + 1 }, () => 0);
  for (const ms of acknowledgedMs) perSecond[secondOf(ms)] = (perSecond[secondOf(ms)] ?? 0) + 1;
  const marks = new Map([
    [secondOf(times.writableMs), '○'],
    [secondOf(times.destroyedMs), '×'],
  ]);
  return [
    '',
    table(entries),
    '',
    '  acknowledged, second by second (× = destroyed, ○ = restored)',
    `  ${sparkline(perSecond)}`,
    `  ${perSecond.map((_, second) => marks.get(second) ?? ' ').join('')}`,
    ...[...(outcomes.silent > 0 ? verdict.missing : []), ...rows.named.map((row) => `Missing: ${row}`)].map(
      (line) => `  ${line}`,
    ),
  ].join('\n');
}

export const concludeDrill = (report: DrillReport): Conclusion => ({
  holds: offencesOf(report).length === 0,
  result: summarize(report),
  report: onWire(report),
  text: describe(report),
});
