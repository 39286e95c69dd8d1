import { chmod, rm } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';

import { migrate } from '@parley/db';
import { type Cluster, entryOfModules, makeTiedFolder, startCluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { openQueueStarts } from '../chaos/queue-starts.ts';
import type { Attack } from './attacks/attacks.ts';
import { type AttackReport, damageOf, runAttacks } from './attacks/run-attacks.ts';
import { capacityFor } from './capacity.ts';
import { type Clients, startClients } from './clients/processes.ts';
import { type Extent, untilOver, warmUp, warmUpPart } from './extent.ts';
import { type AtHub, runAtHub } from './hub/run-hub.ts';
import { importArchive } from './import-archive.ts';
import type { Rates } from './kinds.ts';
import { type PartOfMemory, memoryPerPoll, readMemory } from './memory.ts';
import { mutatedEnvironment } from './mutated.ts';
import { type Organization, foundOrganizations } from './organizations.ts';
import { prepareClients } from './prepare-clients.ts';
import { preciseNowMs } from './recorder.ts';
import {
  type Growth,
  type Sample,
  clientProcesses,
  cpuByRole,
  growthOf,
  parkedPolls,
  processesOf,
  replicaReads,
  watch,
} from './samples.ts';
import type { Population, Scenario } from './scenarios.ts';
import { type Tally, type Totals, createTally } from './tally.ts';
import { type Finding, compareWithLogs, silentMsMax } from './verdict.ts';

export interface LoadOptions {
  scenario: Scenario;
  pollers: number;
  /** What is asked, in proportion to what the scenario says. */
  pace: number;
  extent: Extent;
  /** How long the same goes on before, so that nodes are warm when it counts. */
  warmUpSeconds: number;
  nodes: { api: number; queue: number; worker: number };
  /** Servers that follow Postgres. */
  replicas: number;
  /** Name of a guarantee to break, to see that the check sees it. */
  mutation?: string | undefined;
  /** Which attacks come in scenarios that have some, and how often. */
  attacks: readonly Attack[];
  rounds: number;
  /** Whether the same clients ask the hub afterwards, which shows what the product costs. */
  againstHub: boolean;
  readonly say: (line: string) => void;
  /** Shows how far the run is. */
  readonly progress: (line: string) => void;
}

export interface LoadReport extends Finding, Totals {
  scenario: string;
  about: string;
  pollers: number;
  organizations: number;
  accounts: number;
  abandoned: number;
  slowReaders: number;
  nodes: LoadOptions['nodes'];
  seconds: number;
  warmUpSeconds: number;
  /** What the warm-up met with. */
  timedInWarmUp: Totals['timed'];
  rates: Rates;
  samples: Sample[];
  /** What waiting took: the memory of each part, and of it each poll. */
  parkedMemory: PartOfMemory[];
  /** Polls that waited before the load began. */
  parked: number;
  /** Percent of one processor that each role took. */
  cpu: Record<string, number>;
  /** Reads that replicas might serve, by what became of them. */
  replicaReads: Record<string, number>;
  atHub: AtHub | null;
  /** Of queue nodes, in scenarios in which their memory must not grow. */
  growth: Growth[];
  /** In calm and under each attack, in scenarios that have some. */
  attacks: AttackReport[];
  cores: number;
  /** The machine's load average when the load began, in which others' work counts too. */
  loadBefore: number;
}

const startsLater = 500;
/** This says that something hangs, and nothing about speed. */
const returnsMsMax = 300_000;
/** Polls have arrived at the nodes when no more came for this long. */
const arrivalMsMax = 30_000;
/** Many clients are one address here, and ask for as much as the scenario says. */
export const wideLimits = {
  RATE_LIMIT_BY_USER: '60:10000000',
  RATE_LIMIT_BY_ADDRESS: '60:10000000',
  EVENTS_RATE_LIMIT: '60:10000000',
  QUEUES_PER_USER: '100000',
  LOG_LEVEL: 'warn',
};

/** Lets thousands of clients poll and ask a cluster of real processes, and says what they met with. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { scenario, nodes, mutation, say } = options;
  const { abandoned = 0, slowReaders = 0 } = scenario;
  const others = abandoned + slowReaders;
  const capacity = await capacityFor({ connections: options.pollers + others, queueNodes: nodes.queue });
  const pollers = Math.min(options.pollers, capacity.most - others);
  if (pollers < options.pollers) {
    say(`${options.pollers} clients do not fit here: ${capacity.because}. Going on with ${pollers}.`);
  }
  const { addresses } = capacity;
  say(
    `${pollers} clients in ${addresses.length} processes, which may open ${capacity.openFiles} files each, from ${new Set(addresses).size} addresses.`,
  );
  const population = scenario.populate(pollers);
  const dir = await makeTiedFolder('parley-load-');
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  let organizations: Organization[] = [];
  try {
    await using cluster = await startCluster({
      dir,
      ...nodes,
      replicas: options.replicas,
      durable: true,
      env: { ...(scenario.env ?? wideLimits), ...mutatedEnvironment(mutation) },
      // A mutation changes modules as they are loaded.
      ...(mutation !== undefined && { entryOf: entryOfModules }),
      say,
      prepare: async (servers) => {
        await migrate(servers.databaseUrl);
        say(`${population.organizations} × ${population.accounts} accounts …`);
        organizations = await foundOrganizations(servers, population);
      },
    });
    const tally = createTally();
    const orders = await prepareClients(
      cluster,
      { ...options, pollers },
      population,
      organizations,
      addresses,
    );
    const rates = ratesOf(options, pollers);
    const share = shareOf(rates, orders.length);
    const report = await runClients();
    if (!options.againstHub) return report;
    say('The same clients ask the hub …');
    const { extent, warmUpSeconds } = options;
    const load = { orders, organizations, share, extent, warmUpSeconds, startsLater };
    return { ...report, atHub: await runAtHub(load) };

    async function runClients() {
      await using clients = await startClients(orders, (second) => tally.add(second));
      const running = { cluster, dir, clients, tally, organizations, rates, share };
      return await runPrepared({ ...options, pollers }, population, running);
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface Running {
  cluster: Cluster;
  /** The folder of the cluster. */
  dir: string;
  clients: Clients;
  tally: Tally;
  organizations: readonly Organization[];
  /** What is asked, and what each process of clients asks. */
  rates: Rates;
  share: Rates;
}

const ratesOf = ({ scenario, pace }: LoadOptions, pollers: number): Rates =>
  Object.fromEntries(
    Object.entries(scenario.rates(pollers)).map(([kind, perSecond]) => [kind, perSecond * pace]),
  );

const shareOf = (rates: Rates, processes: number): Rates =>
  Object.fromEntries(Object.entries(rates).map(([kind, perSecond]) => [kind, perSecond / processes]));

async function runPrepared(
  options: LoadOptions,
  population: Population,
  running: Running,
): Promise<LoadReport> {
  const { cluster, clients, tally, organizations, rates } = running;
  const { scenario, pollers, warmUpSeconds, nodes, mutation, say } = options;
  const { abandoned = 0, slowReaders = 0, returns = false } = scenario;
  let parked = 0;
  let parkedMemory: PartOfMemory[] = [];
  if (!returns) {
    say('Connecting …');
    const before = await readMemory(cluster, clients.pids);
    parked = await connect(options, pollers + abandoned, running);
    parkedMemory = memoryPerPoll(before, await readMemory(cluster, clients.pids), parked);
    say(`${parked} polls wait at the queue nodes.`);
    if (abandoned > 0) await clients.tell({ kind: 'abandon' });
  }
  const [loadBefore = 0] = loadavg();
  const asked = await letThemAsk(options, population.active, running);
  const { seconds, samples, countedFromMs, attackReports } = asked;
  say('Waiting until every client has heard all there is …');
  const silentMs = mutation ? silentMsMax.broken : silentMsMax.intact;
  using starts = await openQueueStarts(cluster.redis.url, cluster.secret);
  const compared = { silentMs, starts, countedFromMs };
  const finding = await compareWithLogs(cluster, organizations, clients, compared);
  for (const line of finding.missing) say(line);
  return {
    scenario: scenario.name,
    about: scenario.about,
    pollers,
    organizations: population.organizations,
    accounts: population.accounts,
    abandoned,
    slowReaders,
    nodes,
    seconds: Math.round(seconds),
    warmUpSeconds,
    timedInWarmUp: tally.part(warmUpPart).timed,
    rates,
    ...finding,
    ...tally.totals(),
    samples,
    parked,
    parkedMemory,
    cpu: cpuByRole(samples),
    replicaReads: await replicaReads(cluster),
    atHub: null,
    growth: scenario.isFlat ? growthOf(samples) : [],
    attacks: attackReports,
    cores: availableParallelism(),
    loadBefore,
  };
}

/** Lets the clients ask for what they ask, warms up, and goes on as long as the options say. */
async function letThemAsk(options: LoadOptions, active: number, running: Running) {
  const { scenario, extent, warmUpSeconds, say, progress } = options;
  const { cluster, clients, tally, share } = running;
  const begunMs = performance.now();
  const showing = setInterval(() => {
    const { heard, acknowledged } = clients;
    const seconds = ((performance.now() - begunMs) / 1000).toFixed(0).padStart(4);
    progress(`${seconds} s  ${acknowledged} sent  ${heard} heard  ${tally.failed} failed`);
  }, 1000);
  const stopping = new AbortController();
  const goOn = async () => {
    if (warmUpSeconds > 0) say(`Warming up for ${warmUpSeconds} s …`);
    const { atMs } = await warmUp(warmUpSeconds, startsLater, tally);
    const watched = () => [...processesOf(cluster), ...clientProcesses(clients.pids)];
    const watching = watch(watched, stopping.signal, () => parkedPolls(cluster));
    const isDisturbed = scenario.imports !== undefined || scenario.attacks !== undefined;
    const attackReports = isDisturbed ? await disturb(options, { ...running, active }) : [];
    if (!isDisturbed) await untilOver(extent, clients);
    return { watching, countedFromMs: warmUpSeconds > 0 ? atMs : 0, atMs, attackReports };
  };
  try {
    const begun = clients.tell({ kind: 'begin', rates: share, atMs: preciseNowMs() + startsLater });
    const [{ watching, atMs, ...met }] = await Promise.all([goOn(), withinLimit(begun)]);
    await clients.tell({ kind: 'stop asking' });
    stopping.abort();
    return { ...met, seconds: (preciseNowMs() - atMs) / 1000, samples: await watching };
  } finally {
    clearInterval(showing);
    stopping.abort();
  }
}

/** What some scenarios do while the clients go on, after some calm. */
async function disturb(
  { scenario, extent, attacks, rounds, say }: LoadOptions,
  {
    active,
    organizations,
    ...running
  }: Pick<Running, 'cluster' | 'dir' | 'organizations' | 'tally'> & {
    active: number;
  },
): Promise<AttackReport[]> {
  const [organization] = organizations;
  if (!organization || !('seconds' in extent)) throw new Error('Calm goes on for a time.');
  const { seconds } = extent;
  const disturbed = { ...running, organization, firstGuest: active, say };
  return scenario.imports === undefined
    ? await runAttacks({ attacks, rounds, seconds }, disturbed)
    : await importArchive({ messages: scenario.imports, seconds }, disturbed);
}

/** Rejects when clients that come back do not all have queues in the end. */
async function withinLimit(begun: Promise<void>): Promise<void> {
  const givingUp = new AbortController();
  const limit = pause(returnsMsMax, givingUp.signal).then(() => {
    if (!givingUp.signal.aborted) throw new Error('Gave up: not all clients have come back.');
  });
  await Promise.race([begun, limit]).finally(() => givingUp.abort());
}

/** So many more connect when nearly all before them wait: a server that many come to at once takes longer for each. */
const opensOfStep = 2500;
const nearlyAll = 0.9;

/** Lets all clients connect; resolves with the number of polls that wait then. */
async function connect(
  { progress }: LoadOptions,
  wanted: number,
  { cluster, clients }: Running,
): Promise<number> {
  const steps = Math.ceil(wanted / opensOfStep);
  const count = Math.ceil(wanted / steps / clients.pids.length);
  for (let step = 1; step < steps; step += 1) {
    await clients.tell({ kind: 'open', count });
    const parked = await untilParked(cluster, (wanted * step * nearlyAll) / steps);
    progress(`${parked} of ${wanted} polls wait`);
  }
  await clients.tell({ kind: 'open' });
  return await untilParked(cluster, wanted);
}

/** Some polls are always on their way: a heartbeat has ended them, and the client asks again. */
const waitingShare = 0.995;

/** Resolves with the number of polls that wait, when as good as all do or no more come. */
async function untilParked(cluster: Cluster, wanted: number): Promise<number> {
  let [most, changedMs] = [0, Date.now()];
  for (;;) {
    const now = Object.values(await parkedPolls(cluster)).reduce((sum, count) => sum + count, 0);
    if (now > most) [most, changedMs] = [now, Date.now()];
    if (now >= wanted * waitingShare || Date.now() > changedMs + arrivalMsMax) return now;
    await pause(500);
  }
}

/** What no run may show. */
export function anomalies(report: LoadReport): string[] {
  const zeros = ['lost', 'repeated', 'reordered', 'leaked', 'writesLost', 'writesRepeated'] as const;
  const lines = zeros.filter((name) => report[name] > 0).map((name) => `${name}: ${report[name]}`);
  if (report.acknowledged < report.sent) lines.push(`unacknowledged: ${report.sent - report.acknowledged}`);
  lines.push(...Object.entries(report.failures).map(([what, count]) => `${count} × ${what}`));
  lines.push(
    ...report.growth.flatMap(({ node, mib, isFlat }) => (isFlat ? [] : [`${node} grew by ${mib} MiB`])),
  );
  lines.push(...damageOf(report.attacks));
  if (report.parked > 0 && report.parked < report.pollers * waitingShare) {
    lines.push(`${report.pollers - report.parked} of ${report.pollers} polls did not wait`);
  }
  if (report.heard === 0) lines.push('nothing was heard');
  return lines;
}
