import { type QueryCounter, countQueries } from '../support/count-queries.ts';
import { encode } from '../support/http.ts';
import type { BenchServers } from './bench-servers.ts';
import { type BigRealm, bigRealm, getBigRealm } from './big-realm.ts';
import type { Bench, Say } from './finding.ts';
import { findHistory, measureHistory } from './history.ts';
import { median, two } from './numbers.ts';
import { type Program, startProgram } from './processes.ts';

const repeats = 7;

/** One request, as it was answered most often: the median of several after one that warms up. */
export interface ReadCost {
  ms: number;
  queries: number;
  kib: number;
}

export interface Reading {
  program: Program;
  counter: QueryCounter;
  authorization: string;
}

/** An api node of its own, whose conversation with Postgres is counted. */
export async function startReading(servers: BenchServers, { reader }: BigRealm) {
  const counter = await countQueries(servers.env['DATABASE_URL'] ?? '');
  const program = await startProgram('services/api/dist/main.js', {
    ...servers.env,
    DATABASE_URL: counter.url,
  });
  return {
    program,
    counter,
    authorization: servers.authorizationOf(reader),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await counter[Symbol.asyncDispose]();
    },
  };
}

/** One request, several times. */
export async function costOf(
  { program, counter, authorization }: Reading,
  method: string,
  path: string,
  params: object,
): Promise<ReadCost> {
  const fields = encode({ ...params });
  const ask = async () => {
    const url = `http://localhost:${program.port}/api/v1${path}${method === 'GET' ? `?${fields}` : ''}`;
    const headers = {
      Authorization: authorization,
      ...(method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    };
    const reply = await fetch(url, { method, headers, ...(method === 'POST' && { body: fields }) });
    const body = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${body.slice(0, 300)}`);
    return body;
  };
  await ask();
  const times: number[] = [];
  let size = 0;
  counter.take();
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const startMs = performance.now();
    size = (await ask()).length;
    times.push(performance.now() - startMs);
  }
  const { queries } = counter.take();
  return { ms: two(median(times)), queries: Math.round(queries / repeats), kib: Math.round(size / 1024) };
}

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  user_settings_object: true,
  empty_topic_name: true,
  archived_channels: true,
};

/** POST /register as clients send it, by what they ask for. */
async function costOfRegister(reading: Reading): Promise<Record<string, ReadCost>> {
  const register = (params: object) =>
    costOf(reading, 'POST', '/register', { client_capabilities: capabilities, ...params });
  return {
    'all, subscribers false': await register({}),
    'all, subscribers partial': await register({ include_subscribers: 'partial' }),
    'all, subscribers true': await register({ include_subscribers: 'true' }),
    'unread messages alone': await register({ fetch_event_types: ['message', 'update_message_flags'] }),
    'users alone': await register({ fetch_event_types: ['realm_user'] }),
    'channels alone': await register({ fetch_event_types: ['subscription'] }),
  };
}

/** The floor of a registration: the rows of all users, read and written as JSON. */
async function costOfUsers({ sql, actor }: BenchServers): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat <= repeats; repeat += 1) {
    const startMs = performance.now();
    JSON.stringify(await sql`select * from users where realm_id = ${actor.realm.id}`);
    times.push(performance.now() - startMs);
  }
  return two(median(times));
}

/** How much there is to read, at first and in the end: what a read costs must not follow it. */
const readSizes = { small: 250_000, full: 1_000_000 };
/** In proportion to the history is 4. */
const readGrowthMax = 3;

/** The reads of a big realm are measured together: it is founded once, and grows once. */
async function measureReads(servers: BenchServers, say: Say, broken: string | undefined) {
  const realm = await getBigRealm(servers, say);
  const asking = {
    ...realm,
    realmId: servers.actor.realm.id,
    authorizationOf: (user: BigRealm['reader']) => servers.authorizationOf(user),
  };
  const measure = async (messages: number) => {
    const newestId = await realm.grow(messages);
    if (broken === 'history') await servers.sql`drop index if exists messages_conversation`;
    say(`registering among ${newestId} messages …`);
    await using reading = await startReading(servers, realm);
    const costs = await costOfRegister(reading);
    const usersMs = await costOfUsers(servers);
    say(`reading among ${newestId} messages …`);
    return { register: costs, usersMs, history: await measureHistory(servers.env, asking, newestId) };
  };
  const small = await measure(readSizes.small);
  const full = await measure(readSizes.full - readSizes.small);
  return { small, full };
}

let reads: ReturnType<typeof measureReads> | undefined;
const readsOf: (...args: Parameters<typeof measureReads>) => ReturnType<typeof measureReads> = (...args) =>
  (reads ??= measureReads(...args));

export const register: Bench = async (servers, say, { broken }) => {
  const { small, full } = await readsOf(servers, say, broken);
  const rows = Object.entries(full.register).map(([name, cost]) => ({
    name,
    ...cost,
    /** How the time has grown while the history grew fourfold. */
    growth: two(cost.ms / (small.register[name]?.ms ?? cost.ms)),
    floor_ratio: two(cost.ms / full.usersMs),
  }));
  const title = 'POST /register';
  return {
    figures: { ...bigRealm, messages: readSizes.full, floor_ms: full.usersMs, reads: rows },
    claim: {
      holds: rows.every(({ growth }) => growth < readGrowthMax),
      result: `${title}: four times the messages take ${Math.max(...rows.map(({ growth }) => growth))} × the time at most`,
    },
    rows: [
      [`${title}; floor ${full.usersMs} ms`, 'ms  × floor  queries  KiB  growth'],
      ...rows.map(({ name, ms, floor_ratio, queries, kib, growth }): [string, string] => [
        `  ${name}`,
        `${ms}  ${floor_ratio}  ${queries}  ${kib}  ${growth}`,
      ]),
    ],
    picture: rows.map(({ name, ms }): [string, number] => [`${title}: ${name}, ms`, ms]),
  };
};

export const history: Bench = async (servers, say, { broken }) => {
  const { small, full } = await readsOf(servers, say, broken);
  return findHistory(small.history, full.history, readGrowthMax, { ...bigRealm, messages: readSizes.full });
};
