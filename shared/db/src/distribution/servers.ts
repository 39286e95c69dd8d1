import type { Sql } from 'postgres';

import { isDistributed, leadingTable } from '../migrations/is-distributed.ts';
import { MigrationError } from '../migrations/migration-error.ts';
import { type HeldParts, closePart, countParts, openAfterwards } from '../migrations/parts.ts';
import { type Say, type Session, openSession } from '../migrations/session.ts';
import { followWrites } from './follow-writes.ts';
import { moveShard } from './move-shard.ts';
import { identifyShards } from './shard-identity.ts';

/** A server that holds organizations. */
export interface ServerShare {
  server: string;
  organizations: number;
  /** What its parts of the tables take on disk. */
  bytes: number;
  /** Its parts of the tables; null where it does not answer. */
  held: HeldParts | null;
}

const undivided =
  'The database is not divided over several servers: see `parley migrate --distribute`. All organizations are on one.';

/** Returns how many organizations each server holds. @throws MigrationError for a database that is not divided */
export async function listServers(url: string): Promise<ServerShare[]> {
  await using session = await openSession(url, () => undefined);
  const { sql } = session;
  await assertDistributed(sql);
  const held = await countParts(sql);
  const shares = await sql<(Omit<ServerShare, 'held'> & { id: number })[]>`
    select n.nodeid as id, n.nodename || ':' || n.nodeport as server, coalesce(r.organizations, 0)::int as organizations,
      coalesce(s.bytes, 0)::float8 as bytes
    from pg_dist_node n
    left join (
      select p.groupid, count(*) as organizations from realms
      join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(${leadingTable}, realms.id)
      group by 1
    ) r on r.groupid = n.groupid
    left join (
      select nodename, nodeport, sum(shard_size) as bytes from citus_shards where citus_table_type = 'distributed' group by 1, 2
    ) s on s.nodename = n.nodename and s.nodeport = n.nodeport
    where n.noderole = 'primary' and (n.shouldhaveshards or coalesce(r.organizations, 0) > 0) order by 2`;
  return shares.map(({ id, ...share }) => ({ ...share, held: held.get(id) ?? null }));
}

/** Where an organization is: on a server, in a part of the tables. */
interface Place {
  shard: string;
  server: string;
  host: string;
  port: number;
  /** Whether no other organization ever comes into that part. */
  isAlone: boolean;
}

interface Isolation {
  realmId: number;
  say?: Say;
}

export interface Move extends Isolation {
  /** The name and the port of a server, as `listServers` returns it. */
  to: string;
}

/**
 * Gives an organization a part of the tables of its own while people use it, on the server where it is: then it moves alone,
 * and is measured by itself. Killed, it has one or not. Returns whether it had none before.
 *
 * @throws MigrationError for a database that is not divided
 */
export async function isolateRealm(
  url: string,
  { realmId, say = () => undefined }: Isolation,
): Promise<boolean> {
  await using session = await openSession(url, say);
  await assertDistributed(session.sql);
  return await openAfterwards(session.sql, say, () => isolate(session, realmId, say));
}

async function isolate(session: Session, realmId: number, say: Say): Promise<boolean> {
  const { sql } = session;
  const { isAlone, shard } = await findPlace(sql, realmId);
  if (isAlone) return false;
  say('Giving it a part of the tables of its own');
  await identifyShards(sql);
  await closePart(sql, shard);
  await followWrites(
    session,
    say,
    () => sql`
      select isolate_tenant_to_new_shard(${leadingTable}::regclass, ${realmId}::int, 'CASCADE', shard_transfer_mode => 'auto')`,
  );
  return true;
}

/**
 * Moves an organization to another server while people use it: it gets a part of the tables of its own, which is copied while
 * it is written, and for a moment at the end nothing of it is. Killed, it is where it was or where it goes, and may be moved
 * again. Returns whether it was elsewhere before.
 *
 * @throws MigrationError for a database that is not divided, or a server that it does not have
 */
export async function moveRealm(url: string, { realmId, to, say = () => undefined }: Move): Promise<boolean> {
  await using session = await openSession(url, say);
  const { sql } = session;
  await assertDistributed(sql);
  const servers = await sql<{ server: string; host: string; port: number }[]>`
    select nodename || ':' || nodeport as server, nodename as host, nodeport as port from pg_dist_node
    where noderole = 'primary' and shouldhaveshards order by 1`;
  const target = servers.find(({ server }) => server === to);
  if (!target) {
    throw new MigrationError(
      `There is no server ${to} that holds organizations. There are: ${servers.map(({ server }) => server).join(', ')}.`,
    );
  }
  // A command that was killed at its end has left it closed where it is now.
  return await openAfterwards(sql, say, async () => {
    if ((await findPlace(sql, realmId)).server === to) return false;
    await isolate(session, realmId, say);
    const place = await findPlace(sql, realmId);
    say(`Moving it from ${place.server} to ${to}`);
    const from = { fromHost: place.host, fromPort: place.port };
    await moveShard(session, { shard: place.shard, ...from, toHost: target.host, toPort: target.port }, say);
    return true;
  });
}

/** @throws MigrationError */
export async function assertDistributed(sql: Sql): Promise<void> {
  if (!(await isDistributed(sql))) throw new MigrationError(undivided);
}

async function findPlace(sql: Sql, realmId: number): Promise<Place> {
  const [place] = await sql<Place[]>`
    select p.shardid::text as shard, n.nodename || ':' || n.nodeport as server, n.nodename as host, n.nodeport as port,
      s.shardminvalue = s.shardmaxvalue as "isAlone"
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      join pg_dist_shard s on s.shardid = p.shardid
    where p.shardid = get_shard_id_for_distribution_column(${leadingTable}, ${realmId}::int)`;
  if (!place) throw new MigrationError(`No server holds the organization ${realmId}.`);
  return place;
}
