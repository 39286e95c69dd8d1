import { setMaxListeners } from 'node:events';
import { chmod, rm } from 'node:fs/promises';

import { migrate } from '@parley/db';
import { type Cluster, makeTiedFolder, startCluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { type ChaosRealm, type Member, createChaosRealm } from '../chaos/chaos-realm.ts';
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
  say(line: string): void;
}

const memberCount = 40;
/** The first seconds are for the compiler, and for what is cached. */
const warmUpMs = 10_000;
/** After an attack, until what it left behind is done. */
const restMs = 3000;

/** Lets ordinary users chat on a real cluster, in calm and under each attack, and says what they met with. */
export async function runAbuse({ attacks, seconds, say }: AbuseOptions): Promise<Phase[]> {
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
        realm = await createChaosRealm(servers, { members: memberCount, guests: attacks.length });
      },
    });
    if (!realm) throw new Error('The realm was not created.');
    const others = await startOthers(cluster.baseUrl, realm);
    await pause(warmUpMs);
    const phases: Phase[] = [];
    for (const [index, each] of [null, ...attacks].entries()) {
      say(each === null ? `Calm, ${seconds} s …` : `${each.name}: ${each.about}, ${seconds} s …`);
      phases.push(
        await runPhase(each, seconds, {
          cluster,
          realm,
          others,
          guest: realm.guests[index - 1],
          localAddress: `127.0.0.${1 + index}`,
        }),
      );
      await pause(restMs);
    }
    await others.stop();
    return phases;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface Running {
  cluster: Cluster;
  realm: ChaosRealm;
  others: Others;
  /** The attacker and their address: one for each attack, with limits of their own. */
  guest: Member | undefined;
  localAddress: string;
}

async function runPhase(
  attackOf: Attack | null,
  seconds: number,
  { cluster, realm, others, guest, localAddress }: Running,
): Promise<Phase> {
  const [victim] = realm.members;
  const attacker =
    attackOf && guest && victim
      ? await startAttacker({
          baseUrl: cluster.baseUrl,
          localAddress,
          name: attackOf.name,
          people: { guest, victim },
        })
      : null;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const watching = watchMemory(cluster.nodes, stopping.signal);
  const experience = others.begin();
  attacker?.begin();
  await pause(seconds * 1000);
  stopping.abort();
  return {
    attack: attackOf?.name ?? null,
    answered: (await attacker?.stop()) ?? {},
    ...latencies(experience),
    failures: experience.failures,
    memory: await watching,
  };
}

const latencies = ({ sends, reads, deliveries }: Experience) => ({
  sends: latencyOf(sends),
  reads: latencyOf(reads),
  deliveries: latencyOf(deliveries),
});

function latencyOf(values: readonly number[]): Latency {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
