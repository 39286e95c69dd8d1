import type { Role } from '@parley/infra';

import type { ServerName } from '../links.ts';
import { countOf, nodeOf, ofWorkers } from './nodes.ts';
import { type Scenario, everyMs, forAWhile } from './scenario.ts';

const servers = ['redis', 'postgres'] as const;

/** Cuts each node of a role off from Redis, then each from Postgres. */
const partition = (role: Role): Scenario => ({
  name: `partition-${role}`,
  about: `every ${role} node in turn is cut off from Redis, then from Postgres`,
  ...(role === 'worker' && ofWorkers),
  everyMs,
  turnsPerRound: (cluster) => servers.length * countOf(role)(cluster),
  async breakOne(stage, turn) {
    const node = nodeOf(stage, role, turn);
    const server = servers[Math.floor(turn / countOf(role)(stage.cluster)) % servers.length] ?? 'redis';
    const link = stage.links.of(node.name, server);
    link.cut();
    await forAWhile(stage, `${node.name} is cut off from ${server}`, () => link.heal());
  },
});

const slow = (server: ServerName, ms: number): Scenario => ({
  name: `slow-${server}`,
  about: `every packet between nodes and ${server} takes ${ms} ms longer`,
  everyMs: everyMs * 2,
  turnsPerRound: () => 1,
  async breakOne(stage) {
    const links = stage.links.all(server);
    for (const link of links) link.slow(ms);
    await forAWhile(stage, `${server} is slow`, () => {
      for (const link of links) link.heal();
    });
  },
});

export const networkScenarios: readonly Scenario[] = [
  partition('queue'),
  partition('api'),
  partition('worker'),
  slow('redis', 100),
  slow('postgres', 100),
  {
    name: 'reset',
    about: 'all connections to Redis, then all to Postgres, are reset',
    everyMs: everyMs / 2,
    turnsPerRound: () => servers.length,
    async breakOne({ links, onFault }, turn) {
      const server = servers[turn % servers.length] ?? 'redis';
      onFault(`all connections to ${server} are reset`);
      for (const link of links.all(server)) link.reset();
      await Promise.resolve();
    },
  },
];
