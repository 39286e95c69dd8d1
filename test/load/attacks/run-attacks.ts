import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';

import type { Cluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { usageOf } from '../../support/process-usage.ts';
import type { Organization } from '../organizations.ts';
import type { Part, Tally } from '../tally.ts';
import { startAttacker } from './attacker.ts';
import { type Attack, searchersMax } from './attacks.ts';
import { watchMemory } from './memory.ts';

/** What clients met with while an attack went on. */
export interface AttackReport extends Part {
  /** `calm` where nobody attacked. */
  attack: string;
  /** What the attacker was answered: the number of replies by status. */
  answered: Record<string, number>;
  /** Peak memory by node, in MiB. */
  memory: Record<string, number>;
}

export interface AttackOptions {
  attacks: readonly Attack[];
  /** How long each goes on. */
  seconds: number;
  /** How often all attacks come in turn, each time by another guest. */
  rounds: number;
}

interface Attacked {
  cluster: Cluster;
  organization: Organization;
  /** Accounts from this one on are the attackers'. */
  firstGuest: number;
  tally: Tally;
  say: (line: string) => void;
}

/** After an attack, at least; and at most until what it left behind is done: then the nodes are as busy as in calm. */
const restMs = { min: 3000, max: 60_000 };
const calm = 'calm';

/**
 * Lets others go on in calm, and under each attack. What they met with counts for all rounds together, since a 99th
 * percentile of few requests is whatever one of them met with.
 */
export async function runAttacks(
  { attacks, seconds, rounds }: AttackOptions,
  attacked: Attacked,
): Promise<AttackReport[]> {
  const { cluster, tally, say } = attacked;
  await warnOfGroups(say);
  const turns = Array.from({ length: rounds }, () => [null, ...attacks]).flat();
  const reports = new Map<string, AttackReport>();
  let calmProcessors: number | null = null;
  for (const [index, attack] of turns.entries()) {
    const name = attack?.name ?? calm;
    say(attack ? `${name}: ${attack.about}, ${seconds} s …` : `Calm, ${seconds} s …`);
    tally.beginPart(name);
    const { answered, memory, processors } = await meet(attack, index, seconds, attacked);
    calmProcessors ??= processors;
    await rest(cluster, calmProcessors);
    const before = reports.get(name);
    reports.set(name, {
      attack: name,
      ...tally.part(name),
      answered: joined(before?.answered ?? {}, answered, (one, other) => one + other),
      memory: joined(before?.memory ?? {}, memory, Math.max),
    });
  }
  return [...reports.values()];
}

/** Where the kernel gives every session of processes the same share, as on a desktop, priorities count only within each. */
async function warnOfGroups(say: (line: string) => void): Promise<void> {
  const grouping = await readFile('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').catch(() => '');
  if (grouping.trim() !== '1') return;
  say(
    'For figures as in containers, turn the shares of sessions off: sysctl kernel.sched_autogroup_enabled=0',
  );
}

/** One attack, or none, for a time. */
async function meet(
  attack: Attack | null,
  index: number,
  seconds: number,
  { cluster, organization, firstGuest }: Attacked,
) {
  const { accounts, channels, host } = organization;
  const [guest, [victim], [channel]] = [accounts[firstGuest + index], accounts, channels];
  if (!guest || !victim || !channel) throw new Error('There are not enough guests for so many attacks.');
  const attacker =
    attack &&
    (await startAttacker({
      baseUrl: cluster.baseUrl,
      host,
      localAddress: `127.0.1.${1 + index}`,
      name: attack.name,
      people: { guest, victim, channel: channel.name, searchers: accounts.slice(-searchersMax) },
    }));
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const watching = watchMemory(cluster.nodes, stopping.signal);
  const usedBefore = processorSeconds(cluster);
  attacker?.begin();
  await pause(seconds * 1000);
  stopping.abort();
  const processors = (processorSeconds(cluster) - usedBefore) / seconds;
  return { answered: (await attacker?.stop()) ?? {}, memory: await watching, processors };
}

const processorSeconds = ({ nodes }: Cluster): number =>
  nodes.reduce((sum, { pid }) => sum + usageOf(`${pid}`).cpuSeconds, 0);

async function rest(cluster: Cluster, calmProcessors: number): Promise<void> {
  await pause(restMs.min);
  const untilMs = performance.now() + restMs.max;
  for (let isBusy = true; isBusy && performance.now() < untilMs;) {
    const usedBefore = processorSeconds(cluster);
    await pause(2000);
    isBusy = (processorSeconds(cluster) - usedBefore) / 2 > calmProcessors * 1.25;
  }
}

function joined(
  one: Record<string, number>,
  other: Record<string, number>,
  join: (a: number, b: number) => number,
): Record<string, number> {
  const all = { ...one };
  for (const [key, value] of Object.entries(other)) all[key] = join(all[key] ?? 0, value);
  return all;
}

const memoryMibMax = 300;
/** A percentile of a few milliseconds is noise. */
const noiseMs = 50;

/** What others wait for. */
const waitedFor = ['send', 'messages', 'deliveries'] as const;

/** By how much the most that any attack did made the others wait, in parts of calm, at the 99th percentile. */
export function worstOf(reports: readonly AttackReport[]): number {
  const inCalm = reports.find(({ attack }) => attack === calm);
  const ratios = reports.flatMap(({ timed }) =>
    waitedFor.map((kind) => (timed[kind]?.p99 ?? 0) / (inCalm?.timed[kind]?.p99 || 1)),
  );
  return Math.max(...ratios);
}

/** What no attack may do to others. Requests of theirs that fail are counted with those of any load. */
export function damageOf(reports: readonly AttackReport[]): string[] {
  const inCalm = reports.find(({ attack }) => attack === calm);
  return reports.flatMap(({ attack, timed, memory }) => {
    const large = Object.entries(memory).filter(([, mib]) => mib > memoryMibMax);
    const slow = waitedFor.flatMap((kind) => {
      const [p99, calmP99] = [timed[kind]?.p99 ?? 0, inCalm?.timed[kind]?.p99 ?? 0];
      return p99 > 2 * calmP99 && p99 > calmP99 + noiseMs
        ? `${attack}: p99 of ${kind} ${p99.toFixed(0)} ms, ${calmP99.toFixed(0)} ms in calm`
        : [];
    });
    return [...large.map(([node, mib]) => `${attack}: ${node} took ${mib} MiB`), ...slow];
  });
}
