import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repoRoot } from '@parley/infra';
import { databaseConnections, onDemandJobs } from '@parley/worker';
import { parse, parseAllDocuments } from 'yaml';

import { presetOf } from './settings.ts';

const roles = ['api', 'queue', 'worker'] as const;
type Role = (typeof roles)[number];
type Counts = Readonly<Record<Role, number>>;

interface Connections {
  postgres: number;
  /** To one Redis; in a cluster, to each of its masters. */
  redis: number;
}

interface Settings {
  DATABASE_CONNECTIONS: number;
  LOG_PARTITIONS: number;
}

const presets = (): Settings => ({
  DATABASE_CONNECTIONS: Number(presetOf('DATABASE_CONNECTIONS')),
  LOG_PARTITIONS: Number(presetOf('LOG_PARTITIONS')),
});

/** An engine has a pool for Drizzle and one for SQL; what asks whether Postgres answers has a connection of its own. */
const ofEngine = (max: number) => 2 * max + 1;
/** BullMQ waits on one connection for each kind of job, and works on another. */
const ofJobs = 2 * (onDemandJobs.length + 1);

/** Returns the most connections that a node of each role opens. */
export const connectionsOfNodes = (
  { DATABASE_CONNECTIONS: max, LOG_PARTITIONS: partitions }: Settings = presets(),
): Readonly<Record<Role, Connections>> => ({
  api: { postgres: ofEngine(max), redis: 1 },
  // The registry, control, ephemeral events, the node's own line; and a reader for each partition.
  queue: { postgres: max + 1, redis: 4 + partitions },
  // Its own, and that of the schedules.
  worker: { postgres: ofEngine(databaseConnections), redis: 2 + ofJobs },
});

/** `parley migrate`, and a command of an operator. */
const beside = 2 + ofEngine(2);
/** What monitoring, backups and operators open, and what Postgres keeps for superusers. */
const spare = 20;

interface Manifest {
  kind: string;
  spec: { minReplicas?: number; maxReplicas: number };
}

const read = (path: string) => readFileSync(join(repoRoot(), 'infra/k8s', path), 'utf8');

function scalingOf(role: Role, patch: string): { min: number; max: number } {
  const base = parseAllDocuments(read(`base/${role}.yaml`)).map((document) => document.toJS() as Manifest);
  const { minReplicas = 1 } = base.find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.spec ?? {};
  const { spec } = parse(read(patch)) as Manifest;
  return { min: spec.minReplicas ?? minReplicas, max: spec.maxReplicas };
}

/** Returns how many nodes a size has of each role, at least and at most. */
function countsOf(size: 'small' | 'production'): { least: Counts; most: Counts } {
  const patchOf = (role: Role) => `overlays/${size}/${size === 'small' ? 'by-cpu' : role}.yaml`;
  const entries = roles.map((role) => [role, scalingOf(role, patchOf(role))] as const);
  const pick = (which: 'min' | 'max') =>
    Object.fromEntries(entries.map(([role, scaling]) => [role, scaling[which]])) as Record<Role, number>;
  return { least: pick('min'), most: pick('max') };
}

/** Returns how many nodes there are at once while all of them are replaced. */
function replaced(counts: Counts): Counts {
  const { spec } = parse(read('base/node.yaml')) as {
    spec: { strategy: { rollingUpdate: { maxSurge: string } } };
  };
  const surge = Number.parseInt(spec.strategy.rollingUpdate.maxSurge, 10) / 100;
  const more = (count: number) => count + Math.ceil(count * surge);
  return { api: more(counts.api), queue: more(counts.queue), worker: more(counts.worker) };
}

function sum(counts: Counts, kind: keyof Connections): number {
  const each = connectionsOfNodes();
  return roles.map((role) => counts[role] * each[role][kind]).reduce((total, one) => total + one, 0);
}

/** What a size opens. */
export interface Opened {
  size: string;
  counts: Counts;
  postgres: number;
  /** While all nodes are replaced, by a migration and beside an operator's command. */
  postgresMost: number;
  maxConnections: number;
  redisMost: number;
}

export const listOpened = (): Opened[] =>
  (['small', 'production'] as const).flatMap((size) =>
    Object.entries(countsOf(size)).map(([extent, counts]) => {
      const postgresMost = sum(replaced(counts), 'postgres') + beside;
      return {
        size: `${size}, at ${extent}`,
        counts,
        postgres: sum(counts, 'postgres'),
        postgresMost,
        maxConnections: postgresMost + spare,
        redisMost: sum(replaced(counts), 'redis'),
      };
    }),
  );

/** The rows of the tables in docs/scaling.md. */
export const nodeRows = (): string[][] =>
  Object.entries(connectionsOfNodes()).map(([role, { postgres, redis }]) => [
    role,
    `${postgres}`,
    `${redis}`,
  ]);

export const sizeRows = (): string[][] =>
  listOpened().map(({ size, counts, postgres, postgresMost, maxConnections, redisMost }) => [
    size,
    roles.map((role) => `${counts[role]} ${role}`).join(', '),
    ...[postgres, postgresMost, maxConnections, redisMost].map(String),
  ]);
