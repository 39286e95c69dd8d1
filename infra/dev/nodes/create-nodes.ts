import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../machine/free-port.ts';
import { repoRoot } from '../machine/paths.ts';
import type { Say } from '../machine/say.ts';
import { tail } from '../machine/tail.ts';
import type { ClusterBackends } from './cluster-backends.ts';
import { NodeProcess, roles, type Role } from './cluster-node.ts';
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

/** Creates the nodes of a cluster, each with a port that it keeps. Nothing is started yet. */
export async function createNodes(
  dir: string,
  backends: ClusterBackends,
  { entryOf = builtEntry, env, port: publicPort, ...counts }: ClusterOptions & { port: number },
  say: Say,
): Promise<NodeProcess[]> {
  const nodes: NodeProcess[] = [];
  for (const role of roles) {
    const entry = entryOf(role);
    for (let number = 1; number <= counts[role]; number += 1) {
      if (!existsSync(entry)) throw new Error(`${entry} is missing. Build it: npm run build`);
      const port = await freePort();
      const metricsPort = await freePort();
      const settings = {
        ...clusterSettings(dir, backends, publicPort),
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
      };
      const log = join(dir, 'logs', `${role}-${number}.log`);
      nodes.push(
        new NodeProcess(
          {
            role,
            number,
            port,
            metricsPort,
            entry,
            env: { ...developmentRateLimits, ...process.env, ...settings, ...env },
            log,
          },
          say,
        ),
      );
    }
  }
  return nodes;
}

function builtEntry(role: Role): string {
  return join(repoRoot(), 'services', role, 'dist/main.js');
}

/** Starts a node for the first time. If that fails, the error contains the end of its log. */
export async function startNode(node: NodeProcess): Promise<void> {
  await node.start().catch(async (error: Error) => {
    throw new Error(`${error.message}. The end of ${node.log}:\n${await tail(node.log)}`, { cause: error });
  });
}
