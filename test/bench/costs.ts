import { readFileSync } from 'node:fs';

import { encode } from '../support/http.ts';
import type { BenchServers } from './bench-servers.ts';
import { gatherCrowd } from './crowd.ts';
import type { Bench } from './finding.ts';
import { two } from './numbers.ts';
import { RawConnection, getRequest, postRequest } from './poller.ts';
import { type Program, startProgram } from './processes.ts';

const people = 500;
const atOnce = 16;
const requestsOfEach = 1500;

/** What one request takes of each part of a deployment: microseconds of processor time, and bytes. */
export interface RequestCost {
  name: string;
  apiUs: number;
  postgresUs: number;
  redisUs: number;
  /** Rows that Postgres inserts, updates and deletes, those of its catalogues too. */
  rowsWritten: number;
  /** Bytes that Postgres writes ahead, and by which its tables and indexes grow. */
  walBytes: number;
  diskBytes: number;
  /** Bytes that Redis receives and keeps. */
  redisBytes: number;
  redisKeptBytes: number;
}

/** What the requests cost that a deployment is asked most: the ground for `npm run capacity`. */
export const costs: Bench = async (servers, say) => {
  const { channel, users } = await gatherCrowd(servers, people);
  await using api = await startProgram('services/api/dist/main.js', servers.env);
  const authorizations = users.map((user) => servers.authorizationOf(user));
  const as = (number: number) => authorizations[number % authorizations.length] ?? '';
  // Which changes of presence each of them has heard of, and which messages they have sent.
  const heardOf = new Map<string, string>();
  const sent: { id: string; author: string }[] = [];
  const kinds = kindsOf({ channel, users, as, heardOf, sent });
  const measured: RequestCost[] = [];
  for (const [name, requestOf] of Object.entries(kinds)) {
    say(`what ${requestsOfEach} × ${name} cost …`);
    const hear = (number: number, body: string) => {
      const id = /"presence_last_update_id":(-?\d+)/.exec(body)?.[1];
      if (name === 'presence' && id !== undefined) heardOf.set(as(number), id);
      const messageId = /"id":(\d+)/.exec(body)?.[1];
      if (name === 'send' && messageId !== undefined) sent.push({ id: messageId, author: as(number) });
    };
    measured.push({ name, ...(await costOf(servers, api, requestOf, hear)) });
  }
  return {
    figures: { requests: measured },
    rows: [
      ['one request', 'api µs  Postgres µs  Redis µs  rows  WAL  disk  to Redis  in Redis, bytes'],
      ...measured.map((cost): [string, string] => [
        `  ${cost.name}`,
        [
          cost.apiUs,
          cost.postgresUs,
          cost.redisUs,
          cost.rowsWritten,
          cost.walBytes,
          cost.diskBytes,
          cost.redisBytes,
          cost.redisKeptBytes,
        ].join('  '),
      ]),
    ],
    picture: measured.map(({ name, apiUs }): [string, number] => [`${name}: api, µs`, apiUs]),
  };
};

interface Asking {
  channel: string;
  users: readonly { id: number }[];
  as: (number: number) => string;
  heardOf: ReadonlyMap<string, string>;
  sent: readonly { id: string; author: string }[];
}

const content = 'A message of a usual length, to everyone here.';

/** Returns what is asked, by the number of the request. What is changed after `send` are its messages, one after the other. */
export function kindsOf({
  channel,
  users,
  as,
  heardOf,
  sent,
}: Asking): Record<string, (number: number) => string> {
  const topicOf = (number: number) => `topic ${number % 20}`;
  const post = (path: string, number: number, fields: Record<string, unknown>) =>
    postRequest(`/api/v1${path}`, as(number), encode(fields));
  const narrowOf = (number: number) => [
    ['channel', channel],
    ['topic', topicOf(number)],
  ];
  const messageOf = (number: number) => sent[number % sent.length] ?? { id: '', author: '' };
  const star = (number: number) => ({ flag: 'starred', messages: [Number(messageOf(number).id)] });
  return {
    send: (number) =>
      post('/messages', number, { type: 'channel', to: channel, topic: topicOf(number), content }),
    edit: (number) => {
      const { id, author } = messageOf(number);
      const fields = encode({ content: `${content} Version ${number}.` });
      return postRequest(`/api/v1/messages/${id}`, author, fields, 'localhost', 'PATCH');
    },
    reaction: (number) =>
      post(`/messages/${messageOf(number).id}/reactions`, number + 1, { emoji_name: 'thumbs_up' }),
    typing: (number) =>
      post('/typing', number, { op: 'start', to: [users[(number + 1) % users.length]?.id] }),
    presence: (number) =>
      post('/users/me/presence', number, {
        status: 'active',
        new_user_input: 'true',
        last_update_id: heardOf.get(as(number)) ?? '-1',
      }),
    history: (number) => {
      const fields = encode({ anchor: 'newest', num_before: 50, num_after: 0, narrow: narrowOf(number) });
      return getRequest(`/api/v1/messages?${fields}`, as(number));
    },
    // Everybody marks one message after the other as read.
    flags: (number) => {
      const messages = [Number(messageOf(Math.floor(number / users.length)).id)];
      return post('/messages/flags', number, { op: 'add', flag: 'read', messages });
    },
    star: (number) => post('/messages/flags', number, { op: 'add', ...star(number) }),
    // Everybody marks one topic after the other as read.
    'mark a topic': (number) =>
      post('/messages/flags/narrow', number, {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        op: 'add',
        flag: 'read',
        narrow: narrowOf(number + Math.floor(number / users.length)),
      }),
    register: (number) => post('/register', number, {}),
  };
}

async function costOf(
  servers: BenchServers,
  api: Program,
  requestOf: (number: number) => string,
  hear: (number: number, body: string) => void,
): Promise<Omit<RequestCost, 'name'>> {
  const connections = await Promise.all(Array.from({ length: atOnce }, () => RawConnection.open(api.port)));
  let number = 0;
  const run = async (total: number) => {
    let left = total;
    await Promise.all(
      connections.map(async (connection) => {
        while (left-- > 0) {
          const asked = (number += 1);
          const body = (await connection.request(requestOf(asked))).toString('latin1');
          if (!body.startsWith('{"result":"success"')) throw new Error(body);
          hear(asked, body);
        }
      }),
    );
  };
  await run(requestsOfEach / 5);
  const before = await spentSoFar(servers, api);
  await run(requestsOfEach);
  const after = await spentSoFar(servers, api);
  for (const connection of connections) connection.close();
  const rows = await rowsWritten(servers, before.wal, after.wal);
  const each = (key: keyof typeof after) => (after[key] - before[key]) / requestsOfEach;
  return {
    apiUs: Math.round(each('api') * 1e6),
    postgresUs: Math.round(each('postgres') * 1e6),
    redisUs: Math.round(each('redis') * 1e6),
    rowsWritten: two(rows / requestsOfEach),
    walBytes: Math.round(each('wal')),
    diskBytes: Math.round(each('disk')),
    redisBytes: Math.round(each('redisInput')),
    redisKeptBytes: two(each('redisKept')),
  };
}

/** Processor time in seconds, and bytes, since these servers started. */
export async function spentSoFar({ sql, redis }: BenchServers, api?: Program) {
  const backends = await sql<{ pid: number }[]>`select pid from pg_stat_activity`;
  const [written] = await sql<{ wal: string; disk: string }[]>`
    select pg_current_wal_insert_lsn() - '0/0' as wal, pg_database_size(current_database()) as disk`;
  const info = await redis.info();
  const redisNumber = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0);
  return {
    api: api?.cpuSeconds() ?? 0,
    postgres: backends.reduce((sum, { pid }) => sum + secondsOf(pid), 0),
    redis: redisNumber('used_cpu_user') + redisNumber('used_cpu_sys'),
    wal: Number(written?.wal ?? 0),
    disk: Number(written?.disk ?? 0),
    redisInput: redisNumber('total_net_input_bytes'),
    redisKept: redisNumber('used_memory'),
  };
}

/** How many rows Postgres has written between two positions of its log of writes, which says each of them. */
async function rowsWritten({ sql }: BenchServers, from: number, to: number): Promise<number> {
  await sql`create extension if not exists pg_walinspect`;
  // What has not been flushed to disk cannot be read. The commit of a message to nobody flushes all before it.
  await sql`select pg_logical_emit_message(true, 'bench', '')`;
  const [written] = await sql<{ rows: number }[]>`
    select count(*)::int as rows
    from pg_get_wal_records_info('0/0'::pg_lsn + ${from}::numeric, '0/0'::pg_lsn + ${to}::numeric)
    where resource_manager = 'Heap' and record_type ~ '^(HOT_)?(INSERT|UPDATE|DELETE)'`;
  return written?.rows ?? 0;
}

/** A backend that has just ended has spent nothing that is of interest. */
export function secondsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}
