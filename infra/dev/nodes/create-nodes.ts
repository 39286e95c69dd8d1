import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { bundledEntry } from '../../bundle/bundle-services.ts';
import { repoRoot } from '../machine/paths.ts';
import { claimPorts } from '../machine/port-block.ts';
import type { Say } from '../machine/say.ts';
import { tail } from '../machine/tail.ts';
import type { ClusterBackends } from './cluster-backends.ts';
import { type NodeCounts, NodeProcess, type Role } from './cluster-node.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { clusterSettings } from './node-environment.ts';

/**
 * A developer's programs and load tests do not guess passwords, so the limits of production would only get in their
 * way.
 */
const developmentRateLimits = {
  RATE_LIMIT_BY_USER: '60:100000',
  RATE_LIMIT_BY_ADDRESS: '60:100000',
  EVENTS_RATE_LIMIT: '60:1000000',
};

/** As where they are deployed: the image's settings, and the heap that Node allows itself in a container of 1 GiB. */
const memorySettings = {
  MALLOC_ARENA_MAX: '2',
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=512',
};

/** How the nodes of a cluster are started. */
export interface NodeSource {
  dir: string;
  backends: ClusterBackends;
  publicPort: number;
  options: Pick<ClusterOptions, 'entryOf' | 'env' | 'envOf'>;
  say: Say;
}

interface Place {
  port: number;
  metricsPort: number;
}

/** The ports that nodes of each role have, by their number from 1. The proxy knows all of them from the beginning. */
export type Places = Readonly<Record<Role, readonly Place[]>>;

/** At least so many nodes of a role can there be later. */
const placesMin = 16;

/** Claims the ports of all places. They are given back when they are disposed of. */
export async function createPlaces(counts: NodeCounts): Promise<Places & AsyncDisposable> {
  const countOf = (role: Role) => Math.max(placesMin, counts[role]);
  const claimed = await claimPorts(2 * (countOf('api') + countOf('queue') + countOf('worker')));
  const left = [...claimed.ports];
  const take = (count: number): Place[] =>
    Array.from({ length: count }, () => {
      const [port = 0, metricsPort = 0] = left.splice(0, 2);
      return { port, metricsPort };
    });
  return {
    api: take(countOf('api')),
    queue: take(countOf('queue')),
    worker: take(countOf('worker')),
    [Symbol.asyncDispose]: () => claimed[Symbol.asyncDispose](),
  };
}

/** Creates a node. It is not started yet. */
export function createNode(
  { dir, backends, publicPort, options: { entryOf = entryOfBundle, env, envOf }, say }: NodeSource,
  places: Places,
  role: Role,
  number: number,
): NodeProcess {
  const entry = entryOf(role);
  if (!existsSync(entry)) throw new Error(`${entry} is missing. Build it with: npm run types`);
  const place = places[role][number - 1];
  if (!place) throw new Error(`There is no room for ${role}-${number}.`);
  const settings = {
    ...clusterSettings(dir, backends, publicPort),
    PORT: String(place.port),
    METRICS_PORT: String(place.metricsPort),
  };
  const log = join(dir, 'logs', `${role}-${number}.log`);
  return new NodeProcess(
    {
      role,
      number,
      ...place,
      entry,
      env: {
        ...developmentRateLimits,
        ...memorySettings,
        ...process.env,
        ...settings,
        ...env,
        ...envOf?.(role, number),
      },
      log,
    },
    say,
  );
}

const entryOfBundle = (role: Role): string => bundledEntry(repoRoot(), role);

/** The program of a role as tsc built it, whose modules are files of their own that a loader can change. */
export const entryOfModules = (role: Role): string => join(repoRoot(), 'services', role, 'dist/main.js');

/** Starts a node for the first time. If that fails, the error contains the end of its log. */
export async function startNode(node: NodeProcess): Promise<void> {
  await node.start().catch(async (error: Error) => {
    throw new Error(`${error.message}. This is the end of ${node.log}:\n\n${await tail(node.log)}`, {
      cause: error,
    });
  });
}
