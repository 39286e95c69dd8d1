import type { Cluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { usageOf } from '../support/process-usage.ts';
import { metricsOf } from './node-metrics.ts';

/** What processes took, over time. */
export interface Sample {
  second: number;
  mib: Record<string, number>;
  /** Percent of one processor since the last sample. */
  cpu: Record<string, number>;
  /** Polls that wait, by queue node. */
  parked: Record<string, number>;
}

const everyMs = 1000;
/** Nodes are asked what they hold with every tenth sample: to write all their figures takes them a while. */
const parkedEvery = 10;

/** Polls that wait at each queue node, by what the nodes themselves say. */
export async function parkedPolls({ nodes }: Pick<Cluster, 'nodes'>): Promise<Record<string, number>> {
  const queueNodes = nodes.filter(({ role }) => role === 'queue');
  const counts = await Promise.all(
    queueNodes.map(async (node) => {
      const measured = await metricsOf(node).catch(() => null);
      return [node.name, measured?.of('parley_queue_parked_polls') ?? 0] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** Reads that replicas might serve, by what became of them at all api nodes. */
export async function replicaReads({
  nodes,
  replicas,
}: Pick<Cluster, 'nodes' | 'replicas'>): Promise<Record<string, number>> {
  if (replicas.length === 0) return {};
  const ofNodes = await Promise.all(
    nodes
      .filter(({ role }) => role === 'api')
      .map(async (node) =>
        Object.entries((await metricsOf(node)).by('parley_replica_reads_total', 'outcome')),
      ),
  );
  const reads: Record<string, number> = {};
  for (const [outcome, count] of ofNodes.flat()) reads[outcome] = (reads[outcome] ?? 0) + count;
  return reads;
}

/** Processes that are watched, by their names. */
export type Watched = readonly (readonly [name: string, pid: number | undefined])[];

/** The nodes of a cluster, as they are now, and what they stand on. */
export const processesOf = (cluster: Cluster): Watched => [
  ...cluster.nodes.map(({ name, pid }) => [name, pid] as const),
  ['proxy', cluster.proxy.pid],
  ['postgres', cluster.postgres.pid],
  ...cluster.replicas.map(({ pid }, index) => [`replica-${index + 1}`, pid] as const),
  ['redis', cluster.redis.pid],
];

export const clientProcesses = (pids: readonly number[]): Watched =>
  pids.map((pid, index) => [`clients-${index + 1}`, pid] as const);

/** Watches processes until the signal aborts. */
export async function watch(
  processes: () => Watched,
  signal: AbortSignal,
  parked: () => Promise<Sample['parked']> = async () => ({}),
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startMs = performance.now();
  let before = new Map<string, { cpuSeconds: number; atMs: number }>();
  while (!signal.aborted) {
    const sample: Sample = { second: (performance.now() - startMs) / 1000, mib: {}, cpu: {}, parked: {} };
    const now = new Map<string, { cpuSeconds: number; atMs: number }>();
    for (const [name, pid] of processes()) {
      if (pid === undefined) continue;
      const usage = usageOf(String(pid));
      const at = { cpuSeconds: usage.cpuSeconds, atMs: performance.now() };
      now.set(name, at);
      // Processes of Postgres share most of their memory, so their sum says nothing.
      if (!/^(?:postgres|replica)/.test(name)) sample.mib[name] = Math.round(usage.mib);
      const last = before.get(name);
      if (!last) continue;
      const seconds = Math.max(0, at.cpuSeconds - last.cpuSeconds);
      sample.cpu[name] = Math.round((seconds / ((at.atMs - last.atMs) / 1000)) * 100);
    }
    before = now;
    sample.parked = samples.length % parkedEvery === 0 ? await parked() : (samples.at(-1)?.parked ?? {});
    samples.push(sample);
    await pause(everyMs, signal);
  }
  return samples;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Percent of one processor that processes took on average, those of a role together. */
export function cpuByRole(samples: readonly Sample[]): Record<string, number> {
  const roles: Record<string, number> = {};
  const counted = samples.filter(({ cpu }) => Object.keys(cpu).length > 0);
  for (const { cpu } of counted) {
    for (const [name, percent] of Object.entries(cpu)) {
      const role = name.replace(/-\d+$/, '');
      roles[role] = (roles[role] ?? 0) + percent / counted.length;
    }
  }
  return Object.fromEntries(Object.entries(roles).map(([role, percent]) => [role, Math.round(percent)]));
}

export interface Growth {
  node: string;
  /** MiB that its memory grew from the second quarter of the time to the last. */
  mib: number;
  isFlat: boolean;
}

/** Garbage waits to be collected, and heaps grow in steps. Replies that are kept are more within a minute. */
const flatMib = 15;
const samplesMin = 20;

/** How the memory of queue nodes grew while the load went on; empty if that was too short to say. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  if (samples.length < samplesMin) return [];
  const quarter = Math.floor(samples.length / 4);
  const nodes = Object.keys(samples[0]?.mib ?? {}).filter((name) => name.startsWith('queue-'));
  return nodes.map((node) => {
    const of = (part: readonly Sample[]) => median(part.map(({ mib }) => mib[node] ?? 0));
    const mib = of(samples.slice(-quarter)) - of(samples.slice(quarter, 2 * quarter));
    return { node, mib, isFlat: mib <= flatMib };
  });
}
