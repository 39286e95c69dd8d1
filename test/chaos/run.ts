import { setMaxListeners } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '@parley/db';
import { startCluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { type AttemptedSend, type Verdict, check } from './checker.ts';
import { type Listener, startListener } from './listener.ts';
import { readRecordedLog } from './recorded-log.ts';
import type { Scenario } from './scenarios.ts';
import { sendSteadily } from './sender.ts';
import { type Town, foundTown } from './town.ts';

export interface RunOptions {
  scenario: Scenario;
  seconds: number;
  queues: number;
  sendsPerSecond: number;
  nodes: { api: number; queue: number; worker: number };
  /** Name of a guarantee to break, to see that the checker sees it. */
  mutation?: string | undefined;
  say(line: string): void;
}

export interface RunReport extends Verdict {
  scenario: string;
  seconds: number;
  queues: number;
  faults: number;
  sent: number;
  acknowledged: number;
  reRegistered: number;
  /** Polls that failed and were asked again by the client itself. */
  retried: number;
  heardPerSecond: number[];
  /** Folder with the nodes' logs, if something is wrong that was not broken on purpose; else they are gone. */
  keptIn: string | null;
  faultSeconds: number[];
}

const citizens = 24;
const registersAtOnce = 25;
/** Below the time of a heartbeat, which would hide that nothing else woke a poll. */
const missingMs = 10_000;
const signalListenersMax = 10_000;

/** Breaks a real cluster while clients send and listen, and compares what they heard with the log. */
export async function run(options: RunOptions): Promise<RunReport> {
  const { scenario, seconds, nodes, mutation, say } = options;
  const dir = await mkdtemp(join(tmpdir(), 'parley-chaos-'));
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  let town: Town | undefined;
  let isKept = false;
  try {
    await using cluster = await startCluster({
      dir,
      ...nodes,
      durable: true,
      env: environment(mutation),
      say,
      prepare: async (ground) => {
        await migrate(ground.databaseUrl);
        town = await foundTown(ground, citizens);
      },
    });
    if (!town) throw new Error('The town was not founded.');

    const { realmId } = town;
    say(`Registering ${options.queues} queues …`);
    const listeners = await startListeners(cluster.baseUrl, town, options.queues);
    const stopListening = new AbortController();
    const stopSending = new AbortController();
    setMaxListeners(signalListenersMax, stopListening.signal, stopSending.signal);
    const listening = Promise.all(listeners.map((listener) => listener.listen(stopListening.signal)));
    const sends: AttemptedSend[] = [];
    const startMs = Date.now();
    const faultSeconds: number[] = [];
    const sending = sendSteadily(cluster.baseUrl, town, options.sendsPerSecond, stopSending.signal, (send) =>
      sends.push(send),
    );
    const progress = setInterval(() => say(progressLine(startMs, sends, listeners)), 2000);
    const timer = setTimeout(() => stopSending.abort(), seconds * 1000);
    await scenario.run(cluster, stopSending.signal, (what) => {
      faultSeconds.push(Math.floor((Date.now() - startMs) / 1000));
      say(`  ${what}`);
    });
    clearTimeout(timer);
    await sending;
    clearInterval(progress);

    say('Waiting until every client has heard all there is …');
    const queues = listeners.map(({ queue }) => queue);
    await cluster.whenReady();
    await untilNothingIsMissing(async () => {
      return check(queues, sends, await readRecordedLog(cluster.postgres.url, realmId)).lost;
    });
    stopListening.abort();
    await listening;
    const verdict = check(queues, sends, await readRecordedLog(cluster.postgres.url, realmId));
    for (const line of verdict.missing) say(line);
    const report: RunReport = {
      keptIn: null,
      scenario: scenario.name,
      seconds,
      queues: listeners.length,
      faults: faultSeconds.length,
      sent: sends.length,
      acknowledged: sends.filter(({ messageId }) => messageId !== null).length,
      ...verdict,
      reRegistered: sum(listeners.map(({ reRegistered }) => reRegistered)),
      retried: sum(listeners.map(({ retried }) => retried)),
      heardPerSecond: perSecond(listeners, startMs, seconds),
      faultSeconds,
    };
    isKept = anomalies(report).length > 0 && mutation === undefined;
    return isKept ? { ...report, keptIn: dir } : report;
  } finally {
    if (!isKept) await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Clients go on listening until they have heard everything. What has not come by the time that Postgres has been
 * compared with many times over is lost: only a heartbeat, which comes later, could still find it.
 */
async function untilNothingIsMissing(countMissing: () => Promise<number>): Promise<void> {
  const deadlineMs = Date.now() + missingMs;
  while (Date.now() < deadlineMs && (await countMissing()) > 0) await pause(200);
}

/** What no run may show. */
export function anomalies(report: RunReport): string[] {
  const zeros = [
    'lost',
    'repeated',
    'reordered',
    'leaked',
    'writesLost',
    'writesRepeated',
    'reRegistered',
  ] as const;
  const found = zeros.filter((name) => report[name] > 0).map((name) => `${name}: ${report[name]}`);
  if (report.acknowledged < report.sent) found.push(`unacknowledged: ${report.sent - report.acknowledged}`);
  if (report.heard === 0) found.push('nothing was heard');
  return found;
}

function environment(mutation: string | undefined): NodeJS.ProcessEnv {
  const limits = {
    RATE_LIMIT_BY_USER: '60:1000000',
    RATE_LIMIT_BY_ADDRESS: '60:1000000',
    EVENTS_RATE_LIMIT: '60:1000000',
    LOG_LEVEL: 'warn',
  };
  if (mutation === undefined) return limits;
  const hooks = new URL('./mutate.js', import.meta.url).pathname;
  return { ...limits, PARLEY_MUTATION: mutation, NODE_OPTIONS: `--import ${hooks}` };
}

async function startListeners(
  baseUrl: string,
  { citizens: people }: Town,
  count: number,
): Promise<Listener[]> {
  const listeners: Listener[] = [];
  while (listeners.length < count) {
    const first = listeners.length;
    const some = Array.from({ length: Math.min(registersAtOnce, count - first) }, (_, offset) => {
      const number = first + offset;
      // Filters change faster than people, so that everybody has queues of every kind.
      const citizen = people[Math.floor(number / 6) % people.length];
      if (!citizen) throw new Error('The town is empty.');
      return startListener(baseUrl, citizen, number);
    });
    listeners.push(...(await Promise.all(some)));
  }
  return listeners;
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

const heardBy = (listeners: Listener[]) => sum(listeners.map(({ queue }) => queue.heard.length));

function progressLine(startMs: number, sends: AttemptedSend[], listeners: Listener[]): string {
  const seconds = Math.round((Date.now() - startMs) / 1000);
  return `${String(seconds).padStart(4)} s  ${sends.length} sent  ${heardBy(listeners)} heard`;
}

function perSecond(listeners: Listener[], startMs: number, seconds: number): number[] {
  const buckets = Array.from({ length: seconds }, () => 0);
  for (const { queue } of listeners) {
    for (const { atMs } of queue.heard) {
      const second = Math.floor((atMs - startMs) / 1000);
      if (second in buckets) buckets[second] = (buckets[second] ?? 0) + 1;
    }
  }
  return buckets;
}
