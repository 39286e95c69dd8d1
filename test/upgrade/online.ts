import { join } from 'node:path';

import { migrate } from '@parley/db';
import { startCluster } from '@parley/infra';

import { type ChaosRealm, createChaosRealm } from '../chaos/chaos-realm.ts';
import { openQueueStarts } from '../chaos/queue-starts.ts';
import { fillArchive, firstId, openSql } from './fill-archive.ts';
import { type Migrated, holdLocks, migrateKilled } from './migrating.ts';
import { writeMigrations } from './online-migrations.ts';
import { type Met, Traffic } from './traffic.ts';
import { anomalies, limits } from './upgrade.ts';

type Say = (line: string) => void;

/** What clients met with while a large table was changed. */
export interface Online extends Met, Migrated {
  messages: number;
  /** The longest that a send waited while the table was changed. */
  slowestMs: number;
  /** The longest that a send waited before anything was changed. */
  slowestBeforeMs: number;
  locksHeld: number;
  /** What is not as it should be in the end. */
  unfinished: string[];
}

interface Options {
  messages: number;
  kills: number;
  /** Whether the table is changed by plain migrations, to see the claim fail. */
  isAtOnce: boolean;
}

const pauseMsMax = 1000;
/** About seven times as many as are migrated, so that processes are killed in every step. */
const messagesPerMs = 40;

/**
 * Builds an index on many messages and changes a column of theirs, by the machinery of migrations, while clients send and
 * listen, the process that migrates is killed and others hold locks.
 */
export async function changeOnline(dir: string, options: Options, say: Say): Promise<Online> {
  let realm: ChaosRealm | undefined;
  await using cluster = await startCluster({
    dir: join(dir, 'data'),
    api: 1,
    queue: 1,
    worker: 1,
    env: { ...limits, LOG_LEVEL: 'warn' },
    say: () => {},
    async prepare(servers) {
      await migrate(servers.databaseUrl);
      realm = await createChaosRealm(servers, { members: 12 });
      const archive = await createChaosRealm(servers, { name: 'archive', members: 1 });
      await fillArchive(servers.databaseUrl, archive, options.messages, say);
    },
  });
  if (!realm) throw new Error('The realm was not created.');
  const databaseUrl = cluster.postgres.url;
  using starts = await openQueueStarts(cluster.redis.url, cluster.secret);
  const traffic = new Traffic(cluster.baseUrl, realm, starts);
  say(`nodes warm up: ${await traffic.goOn()}`);
  const warm = traffic.sent;
  say(`before: ${await traffic.goOn()}`);
  const slowestBeforeMs = traffic.slowestMsAfter(warm);
  const first = traffic.sent;

  const folder = join(dir, 'migrations');
  await writeMigrations(folder, options.isAtOnce);
  const holder = holdLocks(databaseUrl);
  const migrated = await migrateKilled({
    databaseUrl,
    folder,
    kills: options.kills,
    killAfterMsMax: options.messages / messagesPerMs,
    say,
  });
  await holder[Symbol.asyncDispose]();
  say(`after: ${await traffic.goOn()}`);
  const unfinished = await whatIsUnfinished(databaseUrl);
  const met = await traffic.finish(databaseUrl);
  const { messages } = options;
  const slowestMs = traffic.slowestMsAfter(first);
  return { ...met, ...migrated, messages, slowestMs, slowestBeforeMs, locksHeld: holder.held(), unfinished };
}

/** Returns what the migrations have not made as they should have. */
async function whatIsUnfinished(databaseUrl: string): Promise<string[]> {
  const sql = openSql(databaseUrl);
  const indexes = await sql<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'messages'::regclass and i.indisvalid
      and c.relname in ('messages_by_time', 'messages_by_client')`;
  const [column] = await sql<{ collation: string; needed: boolean }[]>`
    select o.collname as collation, a.attnotnull as needed
    from pg_attribute a join pg_collation o on o.oid = a.attcollation
    where a.attrelid = 'messages'::regclass and a.attname = 'client'`;
  const [rows] = await sql<{ wrong: number }[]>`
    select count(*)::int as wrong from messages
    where id > ${firstId} and client is distinct from 'client ' || (id - ${firstId}) % 5`;
  await sql.end({ timeout: 5 });
  return [
    ...(indexes.length === 2 ? [] : ['an index is missing or invalid']),
    ...(column?.collation === 'C' && column.needed ? [] : ['the column is not changed']),
    ...(rows?.wrong === 0 ? [] : [`${rows?.wrong} rows have another value than before`]),
  ];
}

/** What changing a large table may not show. */
export function offencesOf(online: Online): string[] {
  const { slowestMs, failedTries, unfinished } = online;
  return [
    ...anomalies(online),
    ...unfinished,
    ...(failedTries > 0 ? [`${failedTries} sends failed at first`] : []),
    ...(slowestMs >= pauseMsMax ? [`a send took ${slowestMs} ms`] : []),
  ];
}
