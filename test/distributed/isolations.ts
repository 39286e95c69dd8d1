import { connectSql, isDatabaseUnavailable } from '@parley/db';
import type { DistributedPostgres } from '@parley/infra';
import { pause } from '@parley/kit';

import { createOrganizations } from './organizations.ts';
import { runCommand } from './run-command.ts';

export interface IsolationsReport {
  isolated: number;
  /** How many had to be begun anew, because a server could not follow. */
  begunAnew: number;
  /** How often rows changed meanwhile. */
  changes: number;
  /** How long one took in the middle, and the longest. */
  tookMs: { p50: number; max: number };
  /** What should not have been, in words. */
  anomalies: string[];
}

const organizationsOfServer = 3;
const betweenMs = 5;

/** Gives organizations parts of the tables of their own, while rows of each change without end. */
export async function isolateWhileWritten(
  servers: DistributedPostgres,
  { isBroken, say }: { isBroken: boolean; say: (line: string) => void },
): Promise<IsolationsReport> {
  const backends = {
    databaseUrl: servers.url,
    redisUrl: '',
    secret: 'a secret of a proof that nobody reads',
  };
  const organizations = await createOrganizations(backends, servers, organizationsOfServer, 'alone');
  if (isBroken) await leaveUnidentified(servers);
  // One that nobody can follow is tried three times.
  const meant = isBroken ? organizations.slice(0, 1) : organizations;
  const report: Omit<IsolationsReport, 'tookMs'> = { isolated: 0, begunAnew: 0, changes: 0, anomalies: [] };
  const took: number[] = [];
  for (const { name, realmId } of meant) {
    const startedMs = Date.now();
    const ended = new AbortController();
    const changing = changeRows(servers.url, realmId, ended.signal);
    const { code, stderr } = await runCommand(['realm', 'isolate', name], {
      env: { DATABASE_URL: servers.url },
    });
    ended.abort();
    report.changes += await changing;
    took.push(Date.now() - startedMs);
    if (code === 0) report.isolated += 1;
    else report.anomalies.push(`${name} was not isolated: ${stderr.slice(-300)}`);
    if (stderr.includes('beginning anew')) report.begunAnew += 1;
    say(`  ${name}, ${Date.now() - startedMs} ms`);
  }
  took.sort((a, b) => a - b);
  return { ...report, tookMs: { p50: took[Math.floor(took.length / 2)] ?? 0, max: took.at(-1) ?? 0 } };
}

/** Says in words how organizations were isolated. */
export function describeIsolations({
  isolated,
  begunAnew,
  changes,
  tookMs,
  anomalies,
}: IsolationsReport): string {
  const verdict = anomalies.join('; ') || `${isolated} organizations got a part of the tables of their own`;
  return `${verdict}, ${begunAnew} of them on another try, while rows of them changed ${changes} times. One took ${tookMs.p50} ms in the middle and ${tookMs.max} at most.`;
}

/** Writes rows of an organization that stay what they are, as fast as one connection can. Returns how often. */
async function changeRows(url: string, realmId: number, signal: AbortSignal): Promise<number> {
  const sql = connectSql({ url, name: 'distributed', max: 1 });
  let count = 0;
  try {
    while (!signal.aborted) {
      try {
        await sql`update conversation_heads set audience_id = audience_id where realm_id = ${realmId}`;
        count += 1;
      } catch (error) {
        // At the end nobody may write for a moment.
        if (!isDatabaseUnavailable(error)) throw error;
      }
      await pause(betweenMs);
    }
    return count;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Takes away what tells the rows of new parts apart, before they have keys. */
async function leaveUnidentified({ coordinator, workers }: DistributedPostgres): Promise<void> {
  for (const { url } of [coordinator, ...workers]) {
    const sql = connectSql({ url, name: 'distributed', max: 1 });
    try {
      await sql.unsafe(`
        set citus.enable_ddl_propagation to off;
        create or replace function public.identify_shard() returns event_trigger language plpgsql as 'begin end';
        create event trigger identify_shard on ddl_command_end execute function public.identify_shard();
        alter event trigger identify_shard disable`);
    } finally {
      await sql.end({ timeout: 5 });
    }
  }
}
