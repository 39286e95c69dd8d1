import { connectSql } from '@parley/db';
import { createEngine } from '@parley/engine';
import type { DistributedPostgres, Postgres } from '@parley/infra';
import { createLogger, pause, systemClock } from '@parley/kit';
import { readHeads, readTerm } from '@parley/log';

import { performAdHoc } from '../support/perform-ad-hoc.ts';

/** How long a node has to notice that a server lacks what it had acknowledged. */
const noticedMsMax = 30_000;

/**
 * Has a node write to the log of an organization, takes what it wrote from the organization's server, as where a replica takes
 * over that lacks it, and starts that server anew. Nobody writes to the log again. If it is to be broken, no log ever gets a
 * new epoch.
 *
 * @returns whether the log then gets a new epoch, by which all clients register anew; null if no server has an organization
 */
export async function noticesLostEnd(
  { url, workers }: DistributedPostgres,
  { isBroken }: { isBroken: boolean },
): Promise<boolean | null> {
  const sql = connectSql({ url, name: 'distributed', max: 1 });
  await using engine = createEngine({
    databaseUrl: url,
    name: 'lost-end',
    connectionsMax: 2,
    redis: null,
    secrets: ['a secret of a proof that nobody else reads'],
    clock: systemClock,
    logger: createLogger({ role: 'distributed', level: 'error' }),
    partitions: 16,
  });
  try {
    const found = await findOrganization(sql, workers);
    if (!found) return null;
    const { realmId, server } = found;
    const [before] = await readHeads(sql, [realmId]);
    if (!before) return null;
    if (isBroken) {
      await sql`
        create or replace function renew_epoch(p_realm int, p_epoch text, p_seq bigint, p_term text, p_age interval)
        returns boolean language sql as 'select false'`;
    }
    const event = { type: 'custom_profile_fields', fields: [] };
    await performAdHoc(engine, realmId, async () => ({ events: [{ event, users: [] }] }));
    const term = await readTerm(sql, realmId, before.seq);
    await sql.begin(async (tx) => {
      await tx`delete from event_log where realm_id = ${realmId} and seq > ${before.seq}`;
      await tx`update realm_heads set seq = ${before.seq}, term = ${term} where realm_id = ${realmId}`;
    });
    await server.restart?.();
    for (const startedMs = Date.now(); Date.now() - startedMs < noticedMsMax; await pause(200)) {
      const [now] = await readHeads(sql, [realmId]).catch(() => []);

      if (now && now.epoch !== before.epoch) return true;
    }
    return false;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function findOrganization(
  sql: ReturnType<typeof connectSql>,
  workers: readonly Postgres[],
): Promise<{ realmId: number; server: Postgres } | null> {
  const [row] = await sql<{ realmId: number; port: number }[]>`
    select h.realm_id as "realmId", n.nodeport as port from realm_heads h
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('realm_heads', h.realm_id)
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where h.seq > 0 order by h.realm_id limit 1`;
  const server = workers.find(({ port }) => port === row?.port);
  return row && server ? { realmId: row.realmId, server } : null;
}
