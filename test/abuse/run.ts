import { setMaxListeners } from 'node:events';
import { chmod, rm } from 'node:fs/promises';

import { migrate } from '@parley/db';
import { type Cluster, makeTiedFolder, startCluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { type ChaosRealm, type Member, createChaosRealm } from '../chaos/chaos-realm.ts';
import { usageOf } from '../support/process-usage.ts';
import { startAttacker } from './attacker.ts';
import type { Attack } from './attacks.ts';
import { watchMemory } from './memory.ts';
import { type Experience, type Others, startOthers } from './others.ts';

export interface Phase {
  /** Null where nobody attacks. */
  attack: string | null;
  /** What the attacker was answered, by status. */
  answered: Record<number, number>;
  sends: Latency;
  reads: Latency;
  deliveries: Latency;
  failures: Record<number, number>;
  /** Peak memory by node, in MiB. */
  memory: Record<string, number>;
}

interface Latency {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

export interface AbuseOptions {
  attacks: readonly Attack[];
  seconds: number;
  /** How often all attacks come in turn, each time by another guest. */
  rounds: number;
  readonly say: (line: string) => void;
}

const memberCount = 40;
/** The first seconds are for the compiler, and for what is cached. */
const warmUpMs = 10_000;
/** After an attack, at least; and at most until what it left behind is done: then the nodes are as busy as in calm. */
const restMs = { min: 3000, max: 60_000 };

/**
 * Lets ordinary users chat on a real cluster, in calm and under each attack, and says what they met with: of all rounds
 * together, since a 99th percentile of few requests is whatever one of them met with.
 */
export async function runAbuse({ attacks, seconds, rounds, say }: AbuseOptions): Promise<Phase[]> {
  const turns = Array.from({ length: rounds }, () => [null, ...attacks]).flat();
  const dir = await makeTiedFolder('parley-abuse-');
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  let realm: ChaosRealm | undefined;
  try {
    await using cluster = await startCluster({
      dir,
      api: 2,
      queue: 2,
      worker: 1,
      durable: false,
      // The limits are those of production, except those by address: here, all ordinary users share one.
      env: { LOG_LEVEL: 'error', RATE_LIMIT_BY_USER: '60:200,3600:2000', RATE_LIMIT_BY_ADDRESS: '60:100' },
      say,
      prepare: async (servers) => {
        await migrate(servers.databaseUrl);
        realm = await createChaosRealm(servers, { members: memberCount, guests: turns.length });
      },
    });
    if (!realm) throw new Error('The realm was not created.');
    const others = await startOthers(cluster.baseUrl, realm);
    await pause(warmUpMs);
    const met: Meeting[] = [];
    for (const [index, each] of turns.entries()) {
      say(each === null ? `Calm, ${seconds} s …` : `${each.name}: ${each.about}, ${seconds} s …`);
      const localAddress = `127.0.0.${1 + index}`;
      met.push(
        await meet(each, seconds, { cluster, realm, others, guest: realm.guests[index], localAddress }),
      );
      await rest(cluster, met[0]?.processorsBusy ?? 0);
    }
    await others.stop();
    return [null, ...attacks].map((each) => summarize(met.filter(({ attack }) => attack === each)));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface Running {
  cluster: Cluster;
  realm: ChaosRealm;
  others: Others;
  /** The attacker and their address: others each time, with limits of their own. */
  guest: Member | undefined;
  localAddress: string;
}

/** What others met with in one turn. */
interface Meeting {
  attack: Attack | null;
  answered: Record<number, number>;
  experience: Experience;
  memory: Record<string, number>;
  /** How many processors the nodes kept busy. */
  processorsBusy: number;
}

async function meet(
  attack: Attack | null,
  seconds: number,
  { cluster, realm, others, guest, localAddress }: Running,
): Promise<Meeting> {
  const [victim] = realm.members;
  const attacker =
    attack && guest && victim
      ? await startAttacker({
          baseUrl: cluster.baseUrl,
          localAddress,
          name: attack.name,
          people: { guest, victim },
        })
      : null;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const watching = watchMemory(cluster.nodes, stopping.signal);
  const usedBefore = await processorSeconds(cluster);
  const experience = others.begin();
  attacker?.begin();
  await pause(seconds * 1000);
  stopping.abort();
  const processorsBusy = ((await processorSeconds(cluster)) - usedBefore) / seconds;
  return {
    attack,
    answered: (await attacker?.stop()) ?? {},
    experience,
    memory: await watching,
    processorsBusy,
  };
}

const processorSeconds = async ({ nodes }: Cluster) =>
  (await Promise.all(nodes.map(({ pid }) => usageOf(`${pid}`)))).reduce(
    (sum, { cpuSeconds }) => sum + cpuSeconds,
    0,
  );

async function rest(cluster: Cluster, calmProcessors: number): Promise<void> {
  await pause(restMs.min);
  const untilMs = performance.now() + restMs.max;
  for (let isBusy = true; isBusy && performance.now() < untilMs;) {
    const usedBefore = await processorSeconds(cluster);
    await pause(2000);
    isBusy = ((await processorSeconds(cluster)) - usedBefore) / 2 > calmProcessors * 1.25;
  }
}

function summarize(turns: Meeting[]): Phase {
  const experiences = turns.map(({ experience }) => experience);
  const sum = (counts: Record<string, number>[]) => joined(counts, (a, b) => a + b);
  return {
    attack: turns[0]?.attack?.name ?? null,
    answered: sum(turns.map(({ answered }) => answered)),
    sends: latencyOf(experiences.flatMap(({ sends }) => sends)),
    reads: latencyOf(experiences.flatMap(({ reads }) => reads)),
    deliveries: latencyOf(experiences.flatMap(({ deliveries }) => deliveries)),
    failures: sum(experiences.map(({ failures }) => failures)),
    memory: joined(
      turns.map(({ memory }) => memory),
      Math.max,
    ),
  };
}

function joined(
  records: Record<string, number>[],
  join: (a: number, b: number) => number,
): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [key, value] of records.flatMap((record) => Object.entries(record))) {
    all[key] = join(all[key] ?? 0, value);
  }
  return all;
}

function latencyOf(values: readonly number[]): Latency {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
