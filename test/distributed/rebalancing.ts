import { closePart, distribute, listServers } from '@parley/db';
import type { DistributedPostgres } from '@parley/infra';

import { asking, findClosed, findShard } from './direct.ts';
import { createOrganizations, findPort } from './organizations.ts';
import { runCommand } from './run-command.ts';

export interface RebalancingReport {
  /** How many moves were planned, and how many were made. */
  planned: number;
  moved: number;
  /** What should not have been, in words. */
  anomalies: string[];
}

interface Printed {
  isolated?: boolean;
  moves?: unknown[];
  moved?: number;
  left?: number;
}

const organizationsOfServer = 2;

/** Gives an organization a part of the tables of its own, adds a server, and moves organizations to it, by the commands. */
export async function rebalanceServers(servers: DistributedPostgres): Promise<RebalancingReport> {
  const backends = {
    databaseUrl: servers.url,
    redisUrl: '',
    secret: 'a secret of a proof that nobody reads',
  };
  const [organization] = await createOrganizations(backends, servers, organizationsOfServer, 'balanced');
  const anomalies: string[] = [];
  const run = async (...args: string[]): Promise<Printed> => {
    const env = { DATABASE_URL: servers.url };
    const { code, stdout, stderr } = await runCommand([...args, '--json'], { env });
    if (code !== 0) anomalies.push(`parley ${args.join(' ')} ended with ${code}: ${stderr.slice(-300)}`);
    // Safe: this is what the commands print.
    return code === 0 ? (JSON.parse(stdout) as Printed) : {};
  };
  const name = organization?.name ?? '';
  if ((await run('realm', 'isolate', name)).isolated !== true) anomalies.push(`${name} was not isolated`);
  if ((await run('realm', 'isolate', name)).isolated !== false) anomalies.push(`${name} was isolated twice`);
  await servers.addWorker();
  await distribute(servers.url);
  await countShards(servers.url);
  const { moves: planned = [] } = await run('rebalance', '--dry-run');
  const { moved = 0 } = await run('rebalance');
  const { moves: left = [] } = await run('rebalance', '--dry-run');
  if (moved === 0 || left.length > 0) anomalies.push(`${moved} moves were made, ${left.length} are left`);
  const listed = await listServers(servers.url);
  anomalies.push(...(await findClosed(servers.url)));
  const count = listed.filter(({ bytes }) => bytes > 0).length;
  if (count !== servers.workers.length)
    anomalies.push(`${count} of ${servers.workers.length} servers hold something`);
  if (organization) {
    const to = `127.0.0.1:${await findPort(servers.url, organization.realmId)}`;
    const shard = await findShard(servers.url, organization.realmId);
    // Killed at its end, a command has moved everything and opened nothing; run again, it has only that to do.
    for (const again of [['rebalance'], ['realm', 'move', name, '--to', to]]) {
      await asking(servers.url, (sql) => closePart(sql, shard));
      await run(...again);
      anomalies.push(
        ...(await findClosed(servers.url)).map((closed) => `${closed} after ${again.join(' ')}`),
      );
    }
  }
  return { planned: planned.length, moved, anomalies };
}

/** Has Citus count the parts of tables instead of their bytes, of which a proof has few. */
const countShards = (url: string): Promise<unknown> =>
  asking(url, (sql) => sql`select citus_set_default_rebalance_strategy('by_shard_count')`);

/** Says in words how the servers were balanced. */
export const describeRebalancing = ({ planned, moved, anomalies }: RebalancingReport): string =>
  `A server was added: ${anomalies.join('; ') || `${planned} moves were planned, and ${moved} were made`}.`;
