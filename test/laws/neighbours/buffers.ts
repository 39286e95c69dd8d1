import { createEngine } from '@parley/engine';
import { createLogger, systemClock } from '@parley/kit';
import { expect } from 'vitest';

import { type Params, type Person, getWorld, runRecurring } from '../../support/index.ts';

/** Buffers of tables, with their indexes, that something has read. */
export type Buffers = Map<string, number>;

export const sumOf = (buffers: Buffers): number => [...buffers.values()].reduce((sum, each) => sum + each, 0);

/** What was read most, for whoever has to find out why. */
export const describeBuffers = (buffers: Buffers): string =>
  [...buffers]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** Reads what Postgres has counted of each index, and of each table's rows. Catalogues do not count. */
async function readCounters(): Promise<Buffers> {
  const { sql } = await getWorld();
  const rows = await sql<{ name: string; blocks: number }[]>`
    select relname as name, (heap_blks_read + heap_blks_hit + coalesce(toast_blks_read + toast_blks_hit, 0)
      + coalesce(tidx_blks_read + tidx_blks_hit, 0))::float8 as blocks from pg_statio_user_tables where schemaname = 'public'
    union all
    select indexrelname, idx_blks_read + idx_blks_hit from pg_statio_user_indexes where schemaname = 'public'`;
  return new Map(rows.map(({ name, blocks }) => [name, blocks]));
}

/** The connections of nodes of this name. */
async function connectionsOf(name: string): Promise<number[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name like ${`parley-${name}%`}`;
  return rows.map(({ pid }) => pid);
}

async function difference(name: string, run: () => Promise<void>): Promise<Buffers> {
  const others = new Set(await connectionsOf(name));
  const before = await readCounters();
  await run();
  // Connections keep what they have counted to themselves until they end.
  while ((await connectionsOf(name)).some((pid) => !others.has(pid)));
  const after = await readCounters();
  return new Map(
    [...after].flatMap(([table, count]) =>
      count > (before.get(table) ?? 0) ? [[table, count - (before.get(table) ?? 0)]] : [],
    ),
  );
}

/** Returns what a node that knows the organization's rules reads for a request, and the reply. */
export async function ofRequest(person: Person, method: string, path: string, params: Params) {
  const { startApi } = await getWorld();
  const ask = async (port?: number) => {
    const reply = await person.ask(method, path, params, port === undefined ? {} : { port });
    expect(reply.body, path).toMatchObject({ result: 'success' });
    return reply.body;
  };
  const body = await ask();
  const buffers = await difference('api', async () => {
    await using api = await startApi({ databaseConnections: 1 });
    await ask(api.port);
  });
  return { body, buffers };
}

/** Returns what a node reads, with one connection for each kind of statement, for what is asked of it. */
export async function ofNode(ask: (port: number) => Promise<void>): Promise<Buffers> {
  const { startApi } = await getWorld();
  return await difference('api', async () => {
    await using api = await startApi({ databaseConnections: 1 });
    await ask(api.port);
  });
}

/** Returns what a recurring job reads that has nothing to do, because it has just run. */
export async function ofJob(name: string): Promise<Buffers> {
  const { nodeUrl, redis, secret, partitions } = await getWorld();
  await runRecurring(name);
  return await difference('test-buffers', async () => {
    await using engine = createEngine({
      databaseUrl: nodeUrl,
      name: 'test-buffers',
      connectionsMax: 1,
      redis,
      secrets: [secret],
      clock: systemClock,
      logger: createLogger({ role: 'test', level: 'silent' }),
      partitions,
    });
    await runRecurring(name, { engine });
  });
}
