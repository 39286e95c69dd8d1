import { connectSql } from '@parley/db';
import { createEngine } from '@parley/engine';
import type { DistributedPostgres } from '@parley/infra';
import { createLogger, pause, systemClock } from '@parley/kit';
import { readHeads, readTerm } from '@parley/log';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import { createOrganizations } from './organizations.ts';

const secret = 'a secret of a proof that nobody else reads';
/** How long a node has to notice that a server lacks what it had acknowledged. */
const noticedMsMax = 30_000;

/**
 * Founds an organization and has a node write to its log, takes what it wrote from the organization's server, as where a
 * replica takes over that lacks it, and starts that server anew. Nobody writes to the log again. If it is to be broken, no log
 * ever gets a new epoch.
 *
 * @returns whether the log then gets a new epoch, by which all clients register anew
 */
export async function noticesLostEnd(
  servers: DistributedPostgres,
  { isBroken }: { isBroken: boolean },
): Promise<boolean> {
  const { url, workers } = servers;
  const backends = { databaseUrl: url, redisUrl: '', secret };
  const [organization] = await createOrganizations(backends, servers, 1, 'shortened');
  const server = workers.find(({ port }) => port === organization?.port);
  if (!organization || !server) throw new Error('No server has an organization.');
  const { realmId } = organization;
  const sql = connectSql({ url, name: 'distributed', max: 1 });
  await using engine = createEngine({
    databaseUrl: url,
    name: 'lost-end',
    connectionsMax: 2,
    redis: null,
    secrets: [secret],
    clock: systemClock,
    logger: createLogger({ role: 'distributed', level: 'error' }),
    partitions: 16,
  });
  try {
    const [before] = await readHeads(sql, [realmId]);
    if (!before) throw new Error('The organization has no log.');
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
