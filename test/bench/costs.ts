import { readFileSync } from 'node:fs';

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
  const form = (fields: Record<string, unknown>) =>
    new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ).toString();
  const content = 'A message of a usual length, to everyone here.';
  // Which changes of presence each of them has heard of.
  const heardOf = new Map<string, string>();
  const kinds: Record<string, (number: number) => string> = {
    send: (number) => {
      const fields = { type: 'channel', to: channel, topic: `topic ${number % 20}`, content };
      return postRequest('/api/v1/messages', as(number), form(fields));
    },
    presence: (number) => {
      const fields = {
        status: 'active',
        new_user_input: 'true',
        last_update_id: heardOf.get(as(number)) ?? '-1',
      };
      return postRequest('/api/v1/users/me/presence', as(number), form(fields));
    },
    history: (number) => {
      const narrow = [
        ['channel', channel],
        ['topic', `topic ${number % 20}`],
      ];
      const fields = form({ anchor: 'newest', num_before: 50, num_after: 0, narrow });
      return getRequest(`/api/v1/messages?${fields}`, as(number));
    },
    flags: (number) =>
      postRequest(
        '/api/v1/messages/flags',
        as(number),
        // Their ids are the first ones of the realm: everybody marks one after the other as read.
        form({ op: 'add', flag: 'read', messages: [1 + Math.floor(number / people)] }),
      ),
    register: (number) => postRequest('/api/v1/register', as(number), form({})),
  };
  const measured: RequestCost[] = [];
  for (const [name, requestOf] of Object.entries(kinds)) {
    say(`what ${requestsOfEach} × ${name} cost …`);
    const hear = (number: number, body: string) => {
      const id = /"presence_last_update_id":(-?\d+)/.exec(body)?.[1];
      if (name === 'presence' && id !== undefined) heardOf.set(as(number), id);
    };
    measured.push({ name, ...(await costOf(servers, api, requestOf, hear)) });
  }
  return {
    figures: { requests: measured },
    rows: [
      ['one request', 'api µs  Postgres µs  Redis µs  WAL  disk  to Redis  in Redis, bytes'],
      ...measured.map((cost): [string, string] => [
        `  ${cost.name}`,
        [
          cost.apiUs,
          cost.postgresUs,
          cost.redisUs,
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
  const each = (key: keyof typeof after) => (after[key] - before[key]) / requestsOfEach;
  return {
    apiUs: Math.round(each('api') * 1e6),
    postgresUs: Math.round(each('postgres') * 1e6),
    redisUs: Math.round(each('redis') * 1e6),
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

/** A backend that has just ended has spent nothing that is of interest. */
function secondsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}
