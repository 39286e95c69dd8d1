import { grouped, sparkline, table } from '../../support/picture.ts';
import { worstOf } from '../attacks/run-attacks.ts';
import type { Latency } from '../recorder.ts';
import type { LoadReport } from '../run.ts';

const cell = (value: string | number, width = 10) => String(value).padStart(width);
const mean = (values: number[]) =>
  Math.round(values.reduce((sum, one) => sum + one, 0) / (values.length || 1));

/** Rows of what was timed: name, count, a second, and percentiles in milliseconds. */
export function timedRows({ timed, seconds }: LoadReport): [string, ...(string | number)[]][] {
  return Object.entries(timed).map(([kind, latency]: [string, Latency]) => [
    kind,
    latency.count,
    (latency.count / seconds).toFixed(1),
    ...[latency.p50, latency.p90, latency.p99, latency.p999, latency.max].map((ms) => ms.toFixed(1)),
  ]);
}

export const timedHeadings = ['count', '/s', 'p50 ms', 'p90 ms', 'p99 ms', 'p99.9 ms', 'max ms'];

export interface ProcessRow {
  name: string;
  /** Percent of a processor. */
  cpu: number;
  cpuMax: number;
  /** Memory at the beginning, at the end, and at most. */
  mib: [number, number, number] | null;
}

export function processRows({ samples }: LoadReport): ProcessRow[] {
  const names = Object.keys(samples.at(-1)?.cpu ?? {});
  return names.map((name) => {
    const cpu = samples.flatMap((sample) => sample.cpu[name] ?? []);
    const mib = samples.flatMap((sample) => sample.mib[name] ?? []);
    const [first] = mib;
    const last = mib.at(-1);
    return {
      name,
      cpu: mean(cpu),
      cpuMax: Math.max(0, ...cpu),
      mib: first === undefined || last === undefined ? null : [first, last, Math.max(...mib)],
    };
  });
}

/** The report as text for a terminal. */
export function describe(report: LoadReport, wrong: readonly string[]): string {
  const { scenario, about, pollers, organizations, accounts, seconds, warmUpSeconds, series } = report;
  const timed = timedRows(report).map(
    ([kind, ...cells]) => `  ${kind.padEnd(12)}${cells.map((one) => cell(one)).join('')}`,
  );
  const processes = processRows(report).map(
    ({ name, cpu, cpuMax, mib }) =>
      `  ${name.padEnd(12)}${cell(cpu)}${cell(cpuMax)}${(mib ?? ['', '', '']).map((one) => cell(one)).join('')}`,
  );
  const growth = report.growth.map(({ node, mib, isFlat }): [string, string] => [
    `memory of ${node}`,
    `${isFlat ? 'flat' : 'GREW'} (${mib >= 0 ? '+' : ''}${mib} MiB from the second quarter to the last)`,
  ]);
  return [
    `${scenario}: ${about}`,
    `${pollers} clients, ${organizations} × ${accounts} accounts, ${seconds} s${warmUpSeconds > 0 ? ` after ${warmUpSeconds} s to warm up` : ''}, on ${report.cores} cores with everything on them (load average before: ${report.loadBefore.toFixed(1)})`,
    '',
    `  ${''.padEnd(12)}${timedHeadings.map((heading) => cell(heading)).join('')}`,
    ...timed,
    '',
    `  ${''.padEnd(12)}${['cpu %', 'max %', 'MiB first', 'last', 'max'].map((one) => cell(one)).join('')}`,
    ...processes,
    ...warmUpLines(report),
    ...stageLines(report),
    ...roleLines(report),
    ...hubLines(report),
    ...memoryLines(report),
    '',
    table([
      ['sent', report.sent],
      ['acknowledged', report.acknowledged],
      ['heard', report.heard],
      ['lost', report.lost],
      ['repeated', report.repeated],
      ['reordered', report.reordered],
      ['leaked', report.leaked],
      ['writes lost', report.writesLost],
      ['writes repeated', report.writesRepeated],
      ['told to come back later', report.deferred],
      ...Object.entries(report.replicaReads).map(([outcome, count]): [string, number] => [
        `reads, replica ${outcome}`,
        count,
      ]),
    ]),
    ...(growth.length > 0 ? ['', table(growth)] : []),
    ...attackLines(report),
    '',
    '  heard, second by second',
    `  ${sparkline(series.map(({ deliveries }) => deliveries.count))}`,
    '  p99 of deliveries',
    `  ${sparkline(series.map(({ deliveries }) => deliveries.p99))}`,
    ...wrong.map((line) => `NOT as it should be: ${line}`),
  ].join('\n');
}

/** What the warm-up met with, which counts nowhere else. */
function warmUpLines({ warmUpSeconds, timedInWarmUp: { deliveries, send } }: LoadReport): string[] {
  if (warmUpSeconds === 0) return [];
  const told = [['deliveries', deliveries] as const, ['send', send] as const].flatMap(([kind, latency]) =>
    latency ? [`${kind} p50 ${latency.p50.toFixed(0)} ms, p99 ${latency.p99.toFixed(0)} ms`] : [],
  );
  return ['', `  before, in ${warmUpSeconds} s to warm up: ${told.join('; ')}`];
}

/** Where the time from a send to whoever hears it goes. */
function stageLines({ stages }: LoadReport): string[] {
  if (stages.length === 0) return [];
  const rows = stages.map(
    ({ name, mean: average, p50, p99, slowest }) =>
      `  ${name.padEnd(24)}${[average, p50, p99, slowest].map((ms) => cell(ms.toFixed(1))).join('')}`,
  );
  const headings = ['mean ms', 'p50 ms', 'p99 ms', 'slowest'].map((one) => cell(one)).join('');
  return [
    '',
    `  ${'send to heard, by stage'.padEnd(24)}${headings}`,
    ...rows,
    '  (slowest: the mean in the slowest hundredth of deliveries)',
  ];
}

const sumOf = (values: Record<string, number>) => Object.values(values).reduce((sum, one) => sum + one, 0);

/** Processor time by role. */
function roleLines({ cpu, timed, seconds }: LoadReport): string[] {
  const requests = sumOf(Object.fromEntries(Object.entries(timed).map(([kind, { count }]) => [kind, count])));
  const rows = Object.entries(cpu).map(([role, percent]) => {
    const each = (percent * 10 * seconds) / Math.max(1, requests);
    return `  ${role.padEnd(24)}${cell(percent)}${cell(each.toFixed(2))}`;
  });
  return ['', `  ${'processor time'.padEnd(24)}${cell('% of one')}${cell('ms each')}`, ...rows];
}

/** What waiting takes, by part. */
function memoryLines({ parked, parkedMemory }: LoadReport): string[] {
  if (parkedMemory.length === 0) return [];
  const rows = parkedMemory.map(
    ({ name, mib, kibPerPoll }) =>
      `  ${name.padEnd(24)}${cell(mib.toFixed(0))}${cell(kibPerPoll.toFixed(2))}`,
  );
  const headings = `${cell('MiB')}${cell('KiB each')}`;
  return ['', `  ${`${grouped(parked)} polls wait`.padEnd(24)}${headings}`, ...rows];
}

/** Beside what the same clients met with at the hub. */
function hubLines({ atHub, timed, cpu }: LoadReport): string[] {
  if (!atHub) return [];
  const row = (name: string, ours: number, theirs: number) =>
    `  ${name.padEnd(24)}${cell(ours.toFixed(1))}${cell(theirs.toFixed(1))}${cell(theirs > 0 ? (ours / theirs).toFixed(2) : '–')}`;
  const latencies = (['deliveries', 'send', 'presence'] as const).flatMap((kind) =>
    (['p50', 'p99'] as const).map((at) =>
      row(`${kind} ${at}, ms`, timed[kind]?.[at] ?? 0, atHub.timed[kind]?.[at] ?? 0),
    ),
  );
  const { clients = 0, ...servers } = cpu;
  return [
    '',
    `  ${'the same clients'.padEnd(24)}${cell('Parley')}${cell('hub')}${cell('ratio')}`,
    ...latencies,
    row('servers, % of one core', sumOf(servers), atHub.cpu['hub'] ?? 0),
    row('clients, % of one core', clients, atHub.cpu['clients'] ?? 0),
  ];
}

/** What the others met with in calm, and under each attack or during an import; nothing in other scenarios. */
function attackLines({ attacks }: LoadReport): string[] {
  if (attacks.length === 0) return [];
  const kinds = ['send', 'messages', 'deliveries'] as const;
  const rows = attacks.map(({ attack, timed, failures, memory, answered }) => {
    const latencies = kinds.map((kind) => {
      const { p50 = 0, p99 = 0, p999 = 0, max = 0 } = timed[kind] ?? {};
      return cell([p50, p99, p999, max].map((ms) => ms.toFixed(0)).join('/'), 20);
    });
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    const answers = Object.entries(answered).map(([status, count]) => `${count} × ${status}`);
    return `  ${attack.padEnd(14)}${latencies.join('')}${cell(failed)}${cell(Math.max(...Object.values(memory)))}   ${answers.join(', ')}`;
  });
  const heading = `  ${''.padEnd(14)}${kinds.map((kind) => cell(kind, 20)).join('')}${cell('failed')}${cell('MiB')}   answers to the attacker`;
  return ['', heading, ...rows, '  (of four figures: p50/p99/p99.9/max in ms)'];
}

/** The report in one line. */
export function summarize({ pollers, heard, timed, attacks }: LoadReport, wrong: readonly string[]): string {
  const found =
    wrong.length === 0 ? 'nothing failed, lost or repeated' : `NOT as it should be: ${wrong.join(', ')}`;
  const slowest = timed.deliveries ? `, deliveries p99 ${timed.deliveries.p99.toFixed(0)} ms` : '';
  const others = attacks.length - 1;
  const [, first] = attacks;
  const attacked =
    first === undefined
      ? ''
      : first.attack === 'import'
        ? ' in calm and during an import'
        : ` in calm and under ${others} ${others === 1 ? 'attack' : 'attacks'}, p99 at most ${worstOf(attacks).toFixed(1)} × calm`;
  return `${grouped(pollers)} clients, ${grouped(heard)} events heard${attacked}${slowest}: ${found}.`;
}
