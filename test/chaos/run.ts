import { setMaxListeners } from 'node:events';
import { chmod, rm } from 'node:fs/promises';

import { migrate } from '@parley/db';
import { type Cluster, createCopies, entryOfModules, makeTiedFolder, startCluster } from '@parley/infra';
import { pause, sum } from '@parley/kit';

import { anomalies } from './anomalies.ts';
import { askSteadily } from './asker.ts';
import { type ChaosRealm, createChaosRealm } from './chaos-realm.ts';
import { type WatchedQueue, check } from './checker.ts';
import { type Links, createLinks } from './links.ts';
import type { Listener } from './listener.ts';
import { nodeEnvironment } from './node-environment.ts';
import { openQueueStarts } from './queue-starts.ts';
import { createRandom, shuffle } from './random.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { readRecordedLog } from './recorded-log.ts';
import type { RunReport } from './run-report.ts';
import type { Scenario, Stage } from './scenarios/index.ts';
import { checkSchedule, readSchedule, untilNothingWaits, untilScheduledAreSent } from './schedule-checker.ts';
import { type SteadySend, sendSteadily } from './sender.ts';
import { startListeners } from './start-listeners.ts';
import { checkWebhooks, keptQuestions, readAnswers } from './webhook-checker.ts';

/**
 * How long a scenario goes on: for a time, with a fault whenever its time between faults has passed; or for a number of
 * rounds, in each of which it breaks everything that it can break, with sends getting through before, between and after
 * the faults, however long that takes.
 */
type Extent = { seconds: number } | { rounds: number };

export interface RunOptions {
  /** One after the other, in the same cluster. */
  scenarios: readonly Scenario[];
  extent: Extent;
  queues: number;
  sendsPerSecond: number;
  /** Messages that are scheduled at once, in scenarios that do so. */
  messages: number;
  nodes: { api: number; queue: number; worker: number };
  /** Decides what is broken when, as far as that is not decided by how fast things go. */
  seed: number;
  /** Name of a guarantee to break, to see that the checker sees it. */
  mutation?: string | undefined;
  readonly say: (line: string) => void;
}

const memberCount = 24;
/**
 * Clients have heard all that they were ever going to hear when nothing more came for this long. Below the time of a
 * heartbeat, which would hide that nothing else woke a poll.
 */
const silentMsMax = { intact: 10_000, broken: 5000 };
/** Sends that get through before each fault of a round, and after the last. */
const sendsPerFault = 30;
/** Sends that take longer are given up. This says that something hangs, and nothing about speed. */
const sendsMsMax = 90_000;
/** Messages to bots, in scenarios that have some. */
const questionsPerSecond = 5;
/** Above the time for which a service is left alone, and that in which an attempt of a dead worker is found. */
const answerSilentMsMax = { intact: 90_000, broken: 20_000 };
/** Above the time after which the last are due, and found again if Redis or a worker has lost them. */
const scheduleSilentMsMax = 60_000;
const signalListenersMax = 10_000;

/**
 * Breaks a real cluster while clients send and listen, and compares what they heard with the log. Scenarios of another
 * kind of Redis have a cluster of their own.
 */
export async function run(options: RunOptions): Promise<RunReport[]> {
  const reports: RunReport[] = [];
  const kindOf = ({ redis = 'alone' }: Scenario) => redis;
  for (const kind of new Set(options.scenarios.map(kindOf))) {
    const scenarios = options.scenarios
      .filter((scenario) => kindOf(scenario) === kind)
      .toSorted((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false));
    reports.push(...(await runInOneCluster({ ...options, scenarios }, kind)));
  }
  return reports;
}

async function runInOneCluster(
  options: RunOptions,
  redis: NonNullable<Scenario['redis']>,
): Promise<RunReport[]> {
  const { scenarios, nodes, mutation, say } = options;
  const dir = await makeTiedFolder('parley-chaos-');
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  let realm: ChaosRealm | undefined;
  let links: Links | undefined;
  let isKept = false;
  const stopListening = new AbortController();
  setMaxListeners(signalListenersMax, stopListening.signal);
  try {
    await using cluster = await startCluster({
      dir,
      ...nodes,
      redis,
      durable: true,
      env: nodeEnvironment(mutation),
      // A mutation changes modules as they are loaded.
      ...(mutation !== undefined && { entryOf: entryOfModules }),
      envOf: (role, number) => links?.envOf(role, number) ?? {},
      say,
      prepare: async (servers) => {
        await migrate(servers.databaseUrl);
        links = await createLinks(servers);
        realm = await createChaosRealm(servers, { members: memberCount });
      },
    });
    if (!realm || !links) throw new Error('The realm was not created.');

    say(`Registering ${options.queues} queues …`);
    using starts = await openQueueStarts(cluster.redis.url, cluster.secret);
    const listeners = await startListeners(cluster, realm, options.queues, starts);
    const listening = Promise.all(listeners.map((listener) => listener.listen(stopListening.signal)));
    await using receiver = await startReceiver();
    await using copies = createCopies(cluster.postgres, { durable: true, say });
    const servers = { primary: copies.server };
    const running = { cluster, realm, links, listeners, receiver, servers };
    const reports: RunReport[] = [];
    for (const scenario of scenarios) {
      const report = await runScenario(scenario, options, running);
      reports.push(report);
      say(`${scenario.name}: ${report.heard} heard, ${anomalies(report).join(', ') || 'as the log says'}`);
    }
    stopListening.abort();
    await listening;
    isKept = reports.some((report) => anomalies(report).length > 0) && mutation === undefined;
    return isKept ? reports.map((report) => ({ ...report, keptIn: dir })) : reports;
  } finally {
    stopListening.abort();
    await links?.[Symbol.asyncDispose]();
    if (!isKept) await rm(dir, { recursive: true, force: true });
  }
}

interface Running {
  cluster: Cluster;
  servers: Stage['servers'];
  realm: ChaosRealm;
  links: Links;
  listeners: readonly Listener[];
  receiver: Receiver;
}

async function runScenario(scenario: Scenario, options: RunOptions, running: Running): Promise<RunReport> {
  const { extent, seed, mutation, say } = options;
  const { realm, links, listeners, receiver } = running;
  const readWholeLog = () => readRecordedLog(links.databaseUrl, realm.realmId);
  const { head } = await readWholeLog();
  const { queuesSince, countSince, heardUntilThen } = watchSince(listeners, head);
  const asked = await breakThings(scenario, options, running);
  const { startMs, sends, faultSeconds, prefix, scheduled, questions } = asked;
  const seconds = 'seconds' in extent ? extent.seconds : secondsSince(startMs) + 1;

  say('Waiting until every client has heard all there is …');
  const { losesHistory = false } = scenario;
  const readScheduled = () => readSchedule(links.databaseUrl, prefix);
  const checkQuestions = async () => {
    // What is gone with the end of the log is nobody's business any more.
    const kept = losesHistory ? await keptQuestions(links.databaseUrl, questions) : questions;
    return checkWebhooks(kept, receiver.taken, await readAnswers(links.databaseUrl));
  };
  await running.cluster.whenReady();
  await untilNothingWaits(scheduleSilentMsMax, async () => (await readScheduled()).waiting.size);
  await untilNothingWaits(
    mutation ? answerSilentMsMax.broken : answerSilentMsMax.intact,
    async () => (await checkQuestions()).answersLost,
  );
  // Clients go on listening until they have heard everything. What is still missing when nothing more came for a while,
  // in which nodes compared their logs with Postgres many times, is lost: only a heartbeat, which comes later, could find
  // it.
  await untilNothingWaits(mutation ? silentMsMax.broken : silentMsMax.intact, async () => {
    const { lost, silent } = check(queuesSince(), sends, await readWholeLog());
    return lost + silent;
  });
  const queues = queuesSince();
  const verdict = check(queues, sends, await readWholeLog());
  if (!losesHistory || verdict.silent > 0) for (const line of verdict.missing) say(line);
  const { sent, waiting } = await readScheduled();
  const there = new Set([...sent.map(({ content }) => content), ...waiting]);
  const kept = losesHistory ? scheduled.filter(({ content }) => there.has(content)) : scheduled;
  return {
    keptIn: null,
    scenario: scenario.name,
    seed,
    seconds,
    queues: listeners.length,
    faults: faultSeconds.length,
    sent: sends.length,
    acknowledged: sends.filter(({ messageId }) => messageId !== null).length,
    unacknowledgedTries: triesOf(sends.filter(({ messageId }) => messageId === null)),
    ...verdict,
    losesHistory,
    // Events on queues that ended count as well, and there their heartbeats.
    heard: Math.max(verdict.heard, heardBy(listeners) - heardUntilThen),
    silent: verdict.silent + verdict.lost + verdict.leaked,
    scheduled: scheduled.length,
    scheduledGone: scheduled.length - kept.length,
    ...checkSchedule(kept, sent, waiting),
    asked: questions.length,
    ...(await checkQuestions()),
    webhooksElsewhere: receiver.elsewhere,
    reRegistered: countSince('reRegistered'),
    retried: countSince('retried'),
    heardPerSecond: perSecond(queues, startMs, seconds),
    faultSeconds,
  };
}

/** How sends were answered again and again, by status; 0 is no answer. */
function triesOf(sends: readonly SteadySend[]): Record<number, number> {
  const tries = sends.flatMap(({ failedTries }) => failedTries.map(({ status }) => status ?? 0));
  return Object.fromEntries(
    [...new Set(tries)].map((status) => [status, tries.filter((one) => one === status).length]),
  );
}

/** Notes what clients have heard until now, and watches them from here on. */
function watchSince(listeners: readonly Listener[], head: number) {
  const before = listeners.map(({ queue, reRegistered, retried }) => ({
    queue,
    heard: queue.heard.length,
    reRegistered,
    retried,
  }));
  return {
    heardUntilThen: heardBy(listeners),
    /**
     * Each queue as if it had been registered when the scenario began: by then, it had heard everything. Of those that
     * were registered since, all is of the scenario.
     */
    queuesSince: () =>
      listeners.map(({ queue }, index) => {
        if (queue !== before[index]?.queue) return queue;
        const heard = queue.heard.slice(before[index].heard);
        return { ...queue, registeredAt: Math.max(head, queue.registeredAt), heard };
      }),
    countSince: (what: 'reRegistered' | 'retried') =>
      sum(listeners.map((listener, index) => listener[what] - (before[index]?.[what] ?? 0))),
  };
}

const secondsSince = (startMs: number) => Math.floor((Date.now() - startMs) / 1000);

/** Breaks one thing after the other while messages are sent, scheduled and asked. */
async function breakThings(
  scenario: Scenario,
  { extent, sendsPerSecond, messages, seed, say }: RunOptions,
  { cluster, realm, links, listeners, receiver, servers }: Running,
) {
  const stopSending = new AbortController();
  const { signal } = stopSending;
  setMaxListeners(signalListenersMax, signal);
  const sends: SteadySend[] = [];
  const faultSeconds: number[] = [];
  const startMs = Date.now();
  const sending = sendSteadily(cluster.baseUrl, realm, sendsPerSecond, signal, (send) => {
    sends.push(send);
  });
  const progress = setInterval(() => say(progressLine(startMs, sends, listeners)), 2000);
  const onFault = (what: string) => {
    faultSeconds.push(secondsSince(startMs));
    say(`  ${what}`);
  };
  const prefix = `scheduled ${startMs}`;
  const scheduling =
    scenario.schedules?.({ cluster, links, realm, messages, prefix, signal, say }) ?? Promise.resolve([]);
  const asking = scenario.asks
    ? askSteadily(cluster.baseUrl, realm, receiver.url, questionsPerSecond, signal)
    : Promise.resolve([]);
  const random = createRandom(seed);
  const untilSent = async (part: number) => {
    const { length } = await scheduling;
    const wanted = length * part;
    await untilScheduledAreSent(links.databaseUrl, { prefix, wanted, silentMs: scheduleSilentMsMax });
  };
  const placeOf = createOrder(random);
  const stage: Stage = { cluster, links, receiver, servers, untilSent, placeOf, onFault };
  let turns = 0;
  const breakNext = async (turn: number) => {
    turns = turn + 1;
    await scenario.breakOne(stage, turn);
  };
  try {
    await ('seconds' in extent
      ? breakForSeconds(() => scenario.everyMs * (0.5 + random()), extent.seconds, breakNext)
      : breakInRounds(extent.rounds * scenario.turnsPerRound(cluster), {
          countSends: () => sends.length,
          breakNext,
        }));
  } finally {
    stopSending.abort();
    clearInterval(progress);
    scenario.mend?.(stage, turns);
  }
  await sending;
  return { startMs, sends, faultSeconds, prefix, scheduled: await scheduling, questions: await asking };
}

/** An order of so many things, for each number of them. */
function createOrder(random: () => number): Stage['placeOf'] {
  const orders = new Map<number, number[]>();
  return (turn, count) => {
    const order = orders.get(count) ?? shuffle([...Array(count).keys()], random);
    orders.set(count, order);
    return order[turn % count] ?? 0;
  };
}

/** Breaks the next thing. */
type BreakNext = (turn: number) => Promise<void>;

async function breakForSeconds(everyMs: () => number, seconds: number, breakNext: BreakNext): Promise<void> {
  const endMs = Date.now() + seconds * 1000;
  for (let turn = 0; ; turn += 1) {
    await pause(Math.min(everyMs(), endMs - Date.now()));
    if (Date.now() >= endMs) return;
    await breakNext(turn);
  }
}

interface Rounds {
  /** Sends that are over, acknowledged or given up. */
  readonly countSends: () => number;
  breakNext: BreakNext;
}

async function breakInRounds(turns: number, { countSends, breakNext }: Rounds): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await untilSends(countSends, countSends() + sendsPerFault);
    await breakNext(turn);
  }
  await untilSends(countSends, countSends() + sendsPerFault);
}

async function untilSends(countSends: () => number, enough: number): Promise<void> {
  const giveUpMs = Date.now() + sendsMsMax;
  while (countSends() < enough) {
    if (Date.now() > giveUpMs) throw new Error(`Gave up: ${countSends()} of ${enough} sends are through.`);
    await pause(20);
  }
}

const heardBy = (listeners: readonly Listener[]) =>
  sum(listeners.map(({ heardBefore, queue }) => heardBefore + queue.heard.length));

function progressLine(startMs: number, sends: SteadySend[], listeners: readonly Listener[]): string {
  const seconds = Math.round((Date.now() - startMs) / 1000);
  return `${String(seconds).padStart(4)} s  ${sends.length} sent  ${heardBy(listeners)} heard`;
}

function perSecond(queues: readonly WatchedQueue[], startMs: number, seconds: number): number[] {
  const buckets = Array.from({ length: seconds }, () => 0);
  for (const { heard } of queues) {
    for (const { atMs } of heard) {
      const second = Math.floor((atMs - startMs) / 1000);
      if (second in buckets) buckets[second] = (buckets[second] ?? 0) + 1;
    }
  }
  return buckets;
}
