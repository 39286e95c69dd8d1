import { execFile } from 'node:child_process';
import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { type Sql, connectSql, migrate } from '@parley/db';
import { type Cluster, type DemoUser, makeTiedFolder, seedDemo, startCluster } from '@parley/infra';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Json } from '../support/http.ts';

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const database = 'chat';
const password = 'for-this-test-alone';

let dir: string;
let cluster: Cluster;
let users: DemoUser[];
let serverUrl: string;
const clients = new Map<string, Sql>();

/** Returns a URL of the database for one of the roles. */
function urlOf(role: string): string {
  const url = new URL(serverUrl);
  url.username = role;
  url.password = password;
  url.pathname = `/${database}`;
  return url.href;
}

function as(role: string): Sql {
  const known = clients.get(role);
  if (known) return known;
  const made = connectSql({ url: urlOf(role), name: 'roles', max: 1 });
  clients.set(role, made);
  return made;
}

/** Makes the roles and the database as operators are told to. */
async function makeRoles(): Promise<void> {
  const page = await readFile(pathOf('docs/deploying.md'), 'utf8');
  const [, statements = ''] = /### Roles[^]*?```sql\n([^]*?)```/.exec(page) ?? [];
  const named = statements
    .replaceAll("'…'", `'${password}'`)
    .replaceAll('database parley', `database ${database}`);
  const admin = connectSql({ url: serverUrl, name: 'roles', max: 1 });
  try {
    for (const statement of named.replaceAll(/^--.*$/gm, '').split(';'))
      if (statement.trim() !== '') await admin.unsafe(statement);
  } finally {
    await admin.end({ timeout: 5 });
  }
}

beforeAll(async () => {
  dir = await makeTiedFolder('parley-roles-');
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  const env: NodeJS.ProcessEnv = {};
  cluster = await startCluster({
    dir,
    api: 1,
    queue: 1,
    worker: 1,
    durable: false,
    env,
    say: () => undefined,
    async prepare(servers) {
      serverUrl = servers.databaseUrl;
      await makeRoles();
      await migrate(urlOf('parley_owner'));
      env['DATABASE_URL'] = urlOf('parley_node');
      ({ users } = await seedDemo({ ...servers, databaseUrl: urlOf('parley_node') }));
    },
  });
});

afterAll(async () => {
  await Promise.all([...clients.values()].map((sql) => sql.end({ timeout: 5 })));
  await cluster.stop();
  await rm(dir, { recursive: true, force: true });
});

async function ask(name: string, method: string, path: string, form: Record<string, string>): Promise<Json> {
  const user = users.find((one) => one.name === name);
  if (!user) throw new Error(`There is no ${name}.`);
  const query = new URLSearchParams(form).toString();
  const isGet = method === 'GET';
  const headers = {
    Authorization: `Basic ${btoa(`${user.email}:${user.api_key}`)}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const url = `${cluster.baseUrl}/api/v1${path}${isGet ? `?${query}` : ''}`;
  const response = await fetch(url, { method, headers, ...(!isGet && { body: query }) });
  const body = (await response.json()) as Json;
  expect(body, `${method} ${path}`).toMatchObject({ result: 'success' });
  return body;
}

/** Returns the messages that a queue hears of, once there are so many. */
async function hear(name: string, queueId: string, count: number): Promise<string[]> {
  const heard: string[] = [];
  for (let after = -1; heard.length < count;) {
    const { events } = await ask(name, 'GET', '/events', { queue_id: queueId, last_event_id: String(after) });
    for (const event of events as { id: number; type: string; message?: { content: string } }[]) {
      after = event.id;
      if (event.message) heard.push(event.message.content);
    }
  }
  return heard;
}

const parley = async (...args: string[]) =>
  await promisify(execFile)(process.execPath, [pathOf('services/cli/bin/parley.js'), ...args], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: urlOf('parley_node'),
      REDIS_URL: cluster.redis.url,
      PARLEY_SECRET: cluster.secret,
      UPLOADS_DIR: join(dir, 'uploads'),
      FAKE_EMAIL_DOMAIN: 'demo.example',
    },
  });

describe('a cluster whose nodes may not change the schema', () => {
  test('sends, registers, delivers, and sends what was scheduled', async () => {
    const { queue_id: queueId } = await ask('Bob Member', 'POST', '/register', {
      event_types: '["message"]',
    });
    const message = { type: 'channel', to: 'general', topic: 'rights', content: 'at once' };
    await ask('Alice Member', 'POST', '/messages', message);
    const at = String(Math.floor(Date.now() / 1000) + 2);
    const later = { ...message, content: 'later', scheduled_delivery_timestamp: at };
    const to = String(
      (await ask('Alice Member', 'GET', '/get_stream_id', { stream: 'general' }))['stream_id'],
    );
    await ask('Alice Member', 'POST', '/scheduled_messages', { ...later, to });
    expect(await hear('Bob Member', String(queueId), 2)).toEqual(['at once', 'later']);
  });

  test('exports an organization and imports it again', async () => {
    const file = join(dir, 'archive.tar.gz');
    await parley('export', file, '--realm', 'demo');
    const { stdout } = await parley('import', file, '--name', 'again', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ realm: 'again' });
  });

  test('has no session but those of the lesser role, and its owner sees whose they are', async () => {
    const sessions = await as('parley_owner')<{ role: string; name: string }[]>`
      select usename as role, application_name as name from pg_stat_activity
      where datname = ${database} and application_name ~ '^parley-(api|queue|worker)'`;
    expect(new Set(sessions.map(({ name }) => name.split('-')[1]))).toEqual(
      new Set(['api', 'queue', 'worker']),
    );
    expect(new Set(sessions.map(({ role }) => role))).toEqual(new Set(['parley_node']));
  });
});

const refused = expect.objectContaining({ code: '42501' });

test.each([
  'create table taken (id int)',
  'create temporary table taken (id int)',
  'create schema taken',
  'alter table messages add column taken int',
  'create index on messages (content)',
  'drop table drafts',
  'truncate drafts',
  'create or replace function skip_ids() returns void language sql as $$ select $$',
  'alter sequence users_id_seq restart',
  'alter table messages owner to parley_node',
  "insert into drizzle.__drizzle_migrations (hash) values ('taken')",
])('nodes may not: %s', async (statement) => {
  await expect(as('parley_node').unsafe(statement)).rejects.toEqual(refused);
});

test('a reader sees everything and changes nothing', async () => {
  const reader = as('parley_reader');
  expect((await reader`select count(*)::int as count from messages`)[0]?.['count']).toBeGreaterThan(0);
  await reader`select * from users, realms, event_log, drizzle.__drizzle_migrations limit 1`;
  for (const statement of [
    "insert into realms (name) values ('taken')",
    'update users set full_name = full_name',
    'delete from drafts',
    "select nextval('users_id_seq')",
    "select change_sequence('users_id_seq', 1)",
    "select analyze_table('users')",
    'select skip_ids()',
    'create table taken (id int)',
    'create temporary table taken (id int)',
  ])
    await expect(reader.unsafe(statement), statement).rejects.toEqual(refused);
});

test('a node lets the planner know what it has filled a table with', async () => {
  const node = as('parley_node');
  const analyzed = () => node`select last_analyze from pg_stat_user_tables where relname = 'reactions'`;
  expect(await analyzed()).toEqual([{ last_analyze: null }]);
  await node`select analyze_table('reactions')`;
  await vi.waitFor(async () => expect(await analyzed()).not.toEqual([{ last_analyze: null }]), {
    timeout: 60_000,
  });
});

test('what migrations create later belongs to nodes and readers as well, at once', async () => {
  const owner = as('parley_owner');
  await owner.unsafe('create table later (id bigint generated always as identity, text text, at serial)');
  await as('parley_node').unsafe("insert into later (text) values ('written')");
  await as('parley_node').unsafe("update later set text = 'changed'; delete from later where text = 'other'");
  expect(await as('parley_reader').unsafe('select id, text from later')).toMatchObject([{ text: 'changed' }]);
  await expect(as('parley_reader').unsafe("insert into later (text) values ('x')")).rejects.toEqual(refused);
  await owner.unsafe('drop table later');
});

test('roles that are made after the tables get their rights from the next migration, on every table, sequence and function', async () => {
  const owner = as('parley_owner');
  for (const kind of ['tables', 'sequences', 'functions'])
    await owner.unsafe(`revoke all on all ${kind} in schema public from parley_node, parley_reader`);
  await expect(as('parley_reader').unsafe('select from users')).rejects.toEqual(refused);
  await migrate(urlOf('parley_owner'));
  const lacking = await owner`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and (
      relkind = 'r' and not (has_table_privilege('parley_node', oid, 'select')
        and has_table_privilege('parley_node', oid, 'insert') and has_table_privilege('parley_node', oid, 'update')
        and has_table_privilege('parley_node', oid, 'delete') and has_table_privilege('parley_reader', oid, 'select'))
      or relkind = 'S' and not (has_sequence_privilege('parley_node', oid, 'usage')
        and has_sequence_privilege('parley_node', oid, 'update')))
    union all
    select proname from pg_proc
      where pronamespace = 'public'::regnamespace and not has_function_privilege('parley_node', oid, 'execute')`;
  expect(lacking).toEqual([]);
  await vi.waitFor(() => ask('Alice Member', 'GET', '/users/me', {}), { timeout: 60_000 });
});
