import { connectSql } from '@parley/db';
import type { Cluster, ClusterBackends, DistributedPostgres } from '@parley/infra';

import { addressOf } from '../chaos/api-client.ts';
import { type ChaosRealm, createChaosRealm } from '../chaos/chaos-realm.ts';

/** An organization of a cluster, on one of the servers of its database. */
export interface Organization extends ChaosRealm {
  name: string;
  /** The port of the server that holds it. */
  port: number;
}

const memberCount = 6;
/** Where the first ones come to is by chance. */
const organizationsMax = 40;

/** Creates organizations until each server holds so many of them, and returns those. */
export async function createOrganizations(
  backends: ClusterBackends,
  { workers }: Pick<DistributedPostgres, 'workers'>,
  perServer: number,
  prefix = 'organization',
): Promise<Organization[]> {
  const kept: Organization[] = [];
  const held = (port: number | undefined) => kept.filter((one) => one.port === port).length;
  for (let number = 1; workers.some(({ port }) => held(port) < perServer); number += 1) {
    if (number > organizationsMax) throw new Error('The organizations are not spread over the servers.');
    const name = `${prefix}-${number}`;
    const realm = await createChaosRealm(backends, { name, members: memberCount });
    const port = await findPort(backends.databaseUrl, realm.realmId);
    if (held(port) < perServer) kept.push({ ...realm, name, port });
  }
  return kept;
}

/** Returns the port of the server that holds an organization. */
export async function findPort(databaseUrl: string, realmId: number): Promise<number> {
  const sql = connectSql({ url: databaseUrl, name: 'distributed', max: 1 });
  try {
    const [row] = await sql<{ port: number }[]>`
      select n.nodeport as port from pg_dist_placement p
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where p.shardid = get_shard_id_for_distribution_column('realm_heads', ${realmId}::int)`;
    if (!row) throw new Error(`No server holds the organization ${realmId}.`);
    return row.port;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Returns where an organization is reached. */
export const baseUrlOf = ({ baseUrl }: Pick<Cluster, 'baseUrl'>, { name }: Organization): string =>
  addressOf(baseUrl, name);
