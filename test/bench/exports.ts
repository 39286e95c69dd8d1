import { createWriteStream, readFileSync } from 'node:fs';
import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import * as actions from '@parley/actions';
import { exportedTables } from '@parley/archive';
import { type Sql, connectSql, migrate } from '@parley/db';
import { createDiskStore, openInTurn } from '@parley/files';
import { makeTiedFolder, spawnTied } from '@parley/infra';
import { rendererVersion } from '@parley/markdown';
import * as model from '@parley/model';

import type { BenchServers } from './bench-servers.ts';
import { type BigRealm, bigRealm, getBigRealm } from './big-realm.ts';
import type { Bench } from './finding.ts';
import { startProgram } from './processes.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A process whose memory is looked at now and then. */
interface Watched {
  pid: number;
  /** Resident MiB, a sample every half second. */
  samples: number[];
  ended: Promise<number | null>;
  output(): string;
}

function watch(path: string, args: string[], env: Record<string, string>): Watched {
  const child = spawnTied(process.execPath, [`${root}${path}`, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    deathSignal: 'KILL',
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${path} cannot be started.`);
  let output = '';
  child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
  const samples: number[] = [];
  const timer = setInterval(() => {
    try {
      const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      if (kib) samples.push(Math.round(Number(kib) / 1024));
    } catch {
      // It has ended.
    }
  }, 500);
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      clearInterval(timer);
      resolve(code);
    });
  });
  return { pid, samples, ended, output: () => output };
}

/** The peak of each quarter of the time: flat, if memory does not grow with what is done. */
const quarters = (samples: number[]): number[] =>
  [0, 1, 2, 3].map((part) =>
    Math.max(0, ...samples.slice((part * samples.length) / 4, ((part + 1) * samples.length) / 4)),
  );

interface ExportFigures {
  messages: number;
  rows: number;
  archiveMib: number;
  exportedPerSecond: number;
  importedPerSecond: number;
  secondsWithoutWorker: number;
  workerMib: number[];
  successorMib: number[];
  importerMib: number[];
  differences: string[];
}

/**
 * Exports a realm with a worker that is killed half-way and a successor that goes on, imports the archive into another
 * database by the command line, and compares both, table by table and through the API.
 */
async function costOfExport(
  servers: BenchServers,
  big: BigRealm,
  wanted: number,
  say: (line: string) => void,
): Promise<ExportFigures> {
  const { sql, engine, actor, env } = servers;
  const [{ count } = { count: 0 }] = await sql<
    { count: number }[]
  >`select count(*)::int as count from messages`;
  if (count < wanted) await fill(sql, actor.realm.id, wanted - count, say);
  const messages = Math.max(count, wanted);

  const folder = await makeTiedFolder('parley-bench-export-');
  await chmod(folder, 0o755);
  const uploads = join(folder, 'uploads');
  await mkdir(uploads);
  try {
    const asked = { ...actor.realm };
    const { id } = await engine.perform(asked.id, actions.exports.requestEverything, {
      realm: asked,
      now: new Date(),
    });
    const exported = await exportWithDeath(sql, { ...env, UPLOADS_DIR: uploads }, id, say);
    const archive = join(folder, 'archive.tar.gz');
    const row = await engine.db.query.realmExports.findFirst({ where: (one, { eq }) => eq(one.id, id) });
    const parts = (await model.exports.listExportParts(engine.db, { id, realmId: asked.id })).map(
      ({ name, bytes }) => ({
        key: `${row?.folder}/${name}`,
        bytes,
      }),
    );
    await pipeline(openInTurn(createDiskStore(uploads), parts), createWriteStream(archive));
    const imported = await importElsewhere(servers, archive, join(folder, 'elsewhere'), say);
    const { size } = await stat(archive);
    const { elsewhere, ...figures } = imported;
    say('comparing …');
    const compared = await compare(sql, elsewhere, asked.id);
    const byApi = await compareByApi(servers, big.reader);
    await elsewhere.end({ timeout: 5 });
    return {
      messages,
      archiveMib: Math.round(size / 2 ** 20),
      rows: compared.rows,
      exportedPerSecond: Math.round(messages / exported.seconds),
      importedPerSecond: Math.round(messages / figures.seconds),
      secondsWithoutWorker: exported.secondsWithoutWorker,
      workerMib: exported.workerMib,
      successorMib: exported.successorMib,
      importerMib: figures.importerMib,
      differences: [...compared.differences, ...byApi],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Messages that one statement writes into each channel. */
const perStatement = 10;

/**
 * Fills the channels evenly, with texts of about the lengths that people write, and adds what belongs to messages. Most
 * are read by everyone.
 */
async function fill(
  client: Sql,
  realmId: number,
  messages: number,
  say: (line: string) => void,
): Promise<void> {
  const run = (statement: string) =>
    client.begin(async (tx) => {
      await tx.unsafe(`set local statement_timeout = '600s'`);
      await tx.unsafe(statement);
    });
  const perChannel = messages / bigRealm.channels;
  for (let done = 0; done < perChannel; done += perStatement) {
    if (done % 100 === 0) say(`messages, ${done * bigRealm.channels} of ${messages} …`);
    await run(`
      insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
        rendered_content, rendered_version, client, has_link)
      select head.message_id + row_number() over (order by n, h.id), ${realmId}, h.conversation_id, ch.ordinal + n, h.id, t.id, u.first + (h.id * 7 + n * 13) % u.size,
        now() - make_interval(secs => ${perChannel} - n), text, '<p>' || text || '</p>', ${rendererVersion}, 'bench', n % 20 = 0
      from generate_series(${done + 1}, ${Math.min(done + perStatement, perChannel)}) n
      cross join channels h
      join realm_heads head on head.realm_id = h.realm_id
      cross join (select min(id) as first, count(*)::int as size from users where realm_id = ${realmId} and bot_type is null and not is_system) u
      cross join lateral (
        select 'Message ' || n || ' of ' || h.name || ': ' || rtrim(left(repeat(md5(n::text || h.id) || ' about lunch and the release ', 8), 20 + (n * 37 + h.id) % 300)) as text
      ) written
      join conversation_heads ch on ch.realm_id = h.realm_id and ch.conversation_id = h.conversation_id
      join topics t on t.realm_id = h.realm_id and t.channel_id = h.id and t.name = 'topic ' || n % ${bigRealm.topicsPerChannel}
      where h.realm_id = ${realmId} order by n, h.id`);
    await run(`
      update realm_heads set message_id = (select max(id) from messages where realm_id = ${realmId})
      where realm_id = ${realmId}`);
  }
  say('what belongs to them …');
  await run(`
    update conversation_heads ch set ordinal = m.ordinal, first_message_id = coalesce(ch.first_message_id, m.first)
    from (select conversation_id, max(ordinal) as ordinal, min(id) as first from messages group by 1) m
    where m.conversation_id = ch.conversation_id`);
  await run(`
    update conversation_members c set read = c.received * int8multirange(int8range(1, greatest(1, ch.ordinal - c.user_id % 20)))
    from conversation_heads ch where ch.realm_id = c.realm_id and ch.conversation_id = c.conversation_id and ch.ordinal > 0`);
  const some = (every: number) => `from messages where realm_id = ${realmId} and id % ${every} = 0`;
  await run(`
    insert into reactions (realm_id, message_id, user_id, emoji_name, emoji_code, reaction_type)
    select realm_id, id, sender_id, 'octopus', '1f419', 'unicode_emoji' ${some(10)}`);
  await run(`
    insert into message_flags (realm_id, user_id, message_id, starred, mentioned)
    select realm_id, sender_id, id, id % 40 = 0, id % 40 <> 0 ${some(20)}`);
  await run(`
    insert into message_edits (realm_id, message_id, user_id, edited_at, prev_content, prev_rendered_content)
    select realm_id, id, sender_id, now() - interval '1 day', content, rendered_content ${some(50)}`);
}

interface Row {
  status: string;
  messages: number;
  failure: string | null;
}

async function exportWithDeath(
  sql: Sql,
  env: Record<string, string>,
  id: number,
  say: (line: string) => void,
) {
  const read = async (): Promise<Row & { total: number; lease: number }> => {
    const [row] = await sql<(Row & { total: number; lease: number })[]>`
      select status, messages, messages_total as total, failure, lease from realm_exports where id = ${id}`;
    if (!row) throw new Error('The export is gone.');
    return row;
  };
  const until = async (isSo: (row: Awaited<ReturnType<typeof read>>) => boolean) => {
    for (;;) {
      const row = await read();
      if (row.status === 'failed') throw new Error(`The export failed: ${row.failure}`);
      if (isSo(row)) return row;
      await pause(200);
    }
  };
  say('a worker exports …');
  const worker = watch('services/worker/dist/main.js', [], env);
  await until(({ status }) => status === 'started');
  const begunMs = performance.now();
  const half = await until(({ messages, total }) => messages >= total / 2 && messages > 0);
  process.kill(worker.pid, 'SIGKILL');
  await worker.ended;
  const diedMs = performance.now();
  say(`killed at ${half.messages} of ${half.total} messages; its successor waits for the lease to end …`);
  const successor = watch('services/worker/dist/main.js', [], env);
  await until(({ lease }) => lease > half.lease);
  const backMs = performance.now();
  await until(({ status }) => status === 'succeeded');
  const doneMs = performance.now();
  process.kill(successor.pid, 'SIGTERM');
  await successor.ended;
  return {
    seconds: (diedMs - begunMs + doneMs - backMs) / 1000,
    secondsWithoutWorker: Math.round((backMs - diedMs) / 1000),
    workerMib: quarters(worker.samples),
    successorMib: quarters(successor.samples),
  };
}

async function importElsewhere(
  { sql, env }: BenchServers,
  archive: string,
  uploads: string,
  say: (line: string) => void,
) {
  say('the command line imports …');
  await sql.unsafe('create database elsewhere');
  const url = new URL(env['DATABASE_URL'] ?? '');
  url.pathname = '/elsewhere';
  await migrate(url.href);
  await mkdir(uploads);
  const begunMs = performance.now();
  const importer = watch('services/cli/bin/parley.js', ['import', archive, '--name', 'elsewhere', '--json'], {
    ...env,
    DATABASE_URL: url.href,
    UPLOADS_DIR: uploads,
  });
  const code = await importer.ended;
  if (code !== 0) throw new Error(`The import ended with ${code}.`);
  say(importer.output().replaceAll(/\s+/g, ' ').trim());
  return {
    seconds: (performance.now() - begunMs) / 1000,
    importerMib: quarters(importer.samples),
    elsewhere: connectSql({ url: url.href, name: 'bench', max: 2 }),
  };
}

/** Rows and checksums of every table, of all that an archive has. */
async function compare(here: Sql, there: Sql, realmId: number) {
  const differences: string[] = [];
  let total = 0;
  for (const { name, rows, reset = {}, omitted = [] } of exportedTables) {
    const others = name === 'realms' ? ['name'] : [];
    const kept = [...Object.keys(reset), ...omitted, ...others].reduce(
      (json, one) => `${json} - '${one}'`,
      'to_jsonb(t)',
    );
    const digest = `select count(*)::int as rows, coalesce(sum(hashtextextended((${kept})::text, 0)::numeric), 0)::text as sum
      from ${name} t where ${rows(realmId)}`;
    const [ours, theirs] = await Promise.all(
      [here, there].map(async (one) => {
        const [row] = await one.begin(async (tx) => {
          await tx.unsafe(`set local statement_timeout = '600s'`);
          return await tx.unsafe<{ rows: number; sum: string }[]>(digest);
        });
        return row;
      }),
    );
    total += ours?.rows ?? 0;
    if (ours?.rows !== theirs?.rows || ours?.sum !== theirs?.sum) {
      differences.push(`${name}: ${ours?.rows} rows here, ${theirs?.rows} there`);
    }
  }
  return { rows: total, differences };
}

/** What differs between any two registrations, and the pictures that are drawn from an organization's name. */
const differing = [
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'server_generation',
  'presences',
  'realm_icon_url',
  'realm_logo_url',
  'realm_night_logo_url',
];

/** What the one who reads is told by an api node over each database. */
async function compareByApi(servers: BenchServers, reader: { id: number; email: string }): Promise<string[]> {
  const url = new URL(servers.env['DATABASE_URL'] ?? '');
  url.pathname = '/elsewhere';
  await using here = await startProgram('services/api/dist/main.js', servers.env);
  await using there = await startProgram('services/api/dist/main.js', {
    ...servers.env,
    DATABASE_URL: url.href,
    ROOT_REALM: 'elsewhere',
  });
  const headers = { Authorization: servers.authorizationOf(reader) };
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
  const ask = async (port: number, path: string, init: RequestInit) => {
    const body = (await (await fetch(`http://localhost:${port}/api/v1${path}`, init)).json()) as Record<
      string,
      unknown
    >;
    for (const name of differing) delete body[name];
    return body;
  };
  const asked: [string, RequestInit][] = [
    ['/register', { method: 'POST', headers: form }],
    ['/messages?anchor=newest&num_before=1000&num_after=0', { headers }],
    ['/messages?anchor=oldest&num_before=0&num_after=1000', { headers }],
    ['/messages?anchor=first_unread&num_before=200&num_after=200', { headers }],
  ];
  const differences: string[] = [];
  for (const [path, init] of asked) {
    const [ours, theirs] = [await ask(here.port, path, init), await ask(there.port, path, init)];
    const others = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].filter(
      (name) => textOf(ours[name]) !== textOf(theirs[name]),
    );
    if (ours['result'] !== 'success' || others.length > 0) {
      differences.push(`${path} answers with another ${others.join(', ')}`);
    }
  }
  return differences;
}

/** JSON of a part of an answer; the organizations differ in their names. */
const textOf = (value: unknown): string | undefined =>
  JSON.stringify(value)?.replaceAll('"elsewhere"', '"demo"');

/** What an export costs, and whether the organization comes back as it was. */
export const exports: Bench = async (servers, say, options) => {
  const cost = await costOfExport(servers, await getBigRealm(servers, say), options.messages, say);
  const { messages, rows, archiveMib, exportedPerSecond, importedPerSecond } = cost;
  const mib = (peaks: number[]) => peaks.join('  ');
  return {
    figures: { ...cost },
    claim: {
      holds: cost.differences.length === 0,
      result: `${messages} messages, ${cost.differences.length} tables and replies differ after the import`,
    },
    rows: [
      [`export of ${messages} messages, ${rows} rows, messages/s`, exportedPerSecond],
      ['  by a worker that is killed half-way: seconds until the next goes on', cost.secondsWithoutWorker],
      ['  peak memory in each quarter of its time, MiB', mib(cost.workerMib)],
      ['  that of its successor, MiB', mib(cost.successorMib)],
      ['  archive, MiB', archiveMib],
      ['import of it, messages/s', importedPerSecond],
      ['  peak memory in each quarter of the time, MiB', mib(cost.importerMib)],
      ['  tables and replies that differ', cost.differences.join('; ') || 0],
    ],
    picture: [],
  };
};
