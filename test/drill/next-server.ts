import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Postgres } from '@parley/infra';
import { pause } from '@parley/kit';

import { openSql } from '../upgrade/fill-archive.ts';
import { run } from '../versions/history.ts';
import { alterSystem } from './disaster.ts';

/** The Postgres that is left, and its programs. */
export const oldMajor = 15;
const bin = `/usr/lib/postgresql/${oldMajor}/bin`;
/** The publication, the subscription and the slot. */
const name = 'parley_upgrade';

/** Returns why a move to another major version cannot be tried on this machine, in a sentence; null if it can. */
export const whyNoOldServer = (): string | null =>
  ['postgres', 'pg_dump', 'psql'].every(
    (program) => spawnSync(join(bin, program), ['--version']).status === 0,
  )
    ? null
    : `There is no Postgres ${oldMajor} in ${bin}. Install it: apt-get install postgresql-${oldMajor}`;

/** Makes a server write what a logical replica needs. It is started again for that. */
export async function prepareToPublish({ url, restart }: Postgres): Promise<void> {
  await alterSystem(url, { wal_level: 'logical' });
  await restart?.();
}

/** Copies the schema and then all rows to another server, which follows from then on. */
export async function follow(old: Postgres, next: Postgres, dir: string): Promise<void> {
  const schema = join(dir, 'schema.sql');
  const dumped = await run(join(bin, 'pg_dump'), ['--schema-only', '--no-publications', old.url], {
    maxBuffer: 64 * 1024 * 1024,
  });
  await writeFile(schema, dumped.stdout);
  await run(join(bin, 'psql'), ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', schema, next.url]);
  const [from, to] = [openSql(old.url), openSql(next.url)];
  const { hostname, port, username } = new URL(old.url);
  await from.unsafe(`create publication ${name} for all tables`);
  await to.unsafe(
    `create subscription ${name} connection 'host=${hostname} port=${port} user=${username} dbname=parley' publication ${name}`,
  );
  const isCopying = async () =>
    (await to`select from pg_subscription_rel where srsubstate <> 'r' limit 1`).length > 0;
  while (await isCopying()) await pause(100);
  // Statistics do not come along.
  await to`analyze`;
  await Promise.all([from, to].map((sql) => sql.end({ timeout: 5 })));
}

/** Lets nobody write to a server any more, not even whoever is about to. */
async function endWrites(old: Postgres): Promise<void> {
  await alterSystem(old.url, { default_transaction_read_only: 'on' });
  for (let isReadOnly = false; !isReadOnly;) {
    const fresh = openSql(old.url);
    const [row] = await fresh<{ value: string }[]>`
      select current_setting('default_transaction_read_only') as value`;
    isReadOnly = row?.value === 'on';
    if (isReadOnly) {
      // Whoever connects from here on only reads. Who was connected before may be in the middle of a transaction.
      const others = await fresh<{ pid: number }[]>`
        select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      const pids = others.map(({ pid }) => pid);
      await fresh`select pg_terminate_backend(pid) from unnest(${pids}::int[]) pid`;
      const areThere = async () =>
        (await fresh`select from pg_stat_activity where pid = any(${pids}::int[]) limit 1`).length > 0;
      while (await areThere()) await pause(10);
    }
    await fresh.end({ timeout: 5 });
  }
}

/** Ends writes on a server, and resolves when the next one has all of them. */
export async function handOver(old: Postgres, next: Postgres, copiesSequences: boolean): Promise<void> {
  await endWrites(old);
  const [from, to] = [openSql(old.url), openSql(next.url)];
  const [end] = await from<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`;
  const isBehind = async () =>
    (
      await from`
        select from pg_replication_slots
        where slot_name = ${name} and confirmed_flush_lsn >= ${end?.lsn ?? '0/0'}::pg_lsn`
    ).length === 0;
  while (await isBehind()) await pause(10);
  // Sequences do not come along either.
  if (copiesSequences) {
    for (const { sequence, value } of await listSequences(old)) {
      await to`select setval(${sequence}::regclass, ${value}::bigint)`;
    }
  }
  await to.unsafe(`alter subscription ${name} disable`);
  await Promise.all([from, to].map((sql) => sql.end({ timeout: 5 })));
}

/** The sequences of a server that have given numbers, and the last of each. */
async function listSequences({ url }: Postgres): Promise<{ sequence: string; value: string }[]> {
  const sql = openSql(url);
  const rows = await sql<{ sequence: string; value: string }[]>`
    select format('%I.%I', schemaname, sequencename) as sequence, last_value::text as value
    from pg_sequences where last_value is not null order by 1`;
  await sql.end({ timeout: 5 });
  return [...rows];
}

/** Returns how many sequences of the next server are behind those of the one before. */
export async function countBehind(old: Postgres, next: Postgres): Promise<number> {
  const after = new Map((await listSequences(next)).map(({ sequence, value }) => [sequence, value]));
  const before = await listSequences(old);
  return before.filter(({ sequence, value }) => BigInt(after.get(sequence) ?? 0) < BigInt(value)).length;
}
