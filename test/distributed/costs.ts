import { join } from 'node:path';

import { type Sql, connectSql, migrate } from '@parley/db';
import { type DistributedPostgres, type Postgres, type Say, startPostgres, startRedis } from '@parley/infra';
import { sum } from '@parley/kit';

import { kindsOf, secondsOf } from '../bench/costs.ts';
import { RawConnection } from '../bench/poller.ts';
import { type Program, startProgram } from '../bench/processes.ts';
import { channelNames, createChaosRealm } from '../chaos/chaos-realm.ts';
import { askAllServers } from './ask-all-servers.ts';
import { findPort } from './organizations.ts';

const people = 40;
const rounds = 4;
const requestsOfRound = 250;
const connectionsOfNode = 4;
const secret = 'a secret that only this comparison knows';
const realmName = 'costs';
/** What is asked, as `bench costs` names it. */
const requests = {
  send: 'a message',
  history: 'a page',
  register: 'a registration',
  flags: 'a mark as read',
};
/** So many times what one Postgres spends on a request the server of the organization may spend, and others. Figures vary by a fifth. */
const mostOf = { here: 1.5, elsewhere: 0.1 };

type Where = 'here' | 'coordinator' | 'elsewhere';

/** Microseconds of processor time that servers of Postgres spend on one request. */
interface DividedCost extends Record<Where, number> {
  request: string;
  /** On one Postgres without Citus. */
  plain: number;
}

export interface CostsReport {
  costs: DividedCost[];
  /** What should not have been, in words. */
  anomalies: string[];
}

/** Says in words what requests cost. */
export function describeCosts({ costs, anomalies }: CostsReport): string {
  const each = costs.map(
    ({ request, plain, here, coordinator, elsewhere }) =>
      `${request} ${plain} µs, ${here} (${(here / plain).toFixed(2)} ×), ${coordinator} and ${elsewhere}`,
  );
  const verdict = anomalies.length === 0 ? '' : ` ${anomalies.join('; ')}.`;
  return `Processor time of one Postgres, of the server of the organization, of the coordinator and of all others: ${each.join('; ')}.${verdict}`;
}

/** A node, what it is asked, and the servers that it asks. */
interface Asked extends AsyncDisposable {
  /** Asks so many times; answers with what each kind of server spent, in seconds. */
  spend: (kind: keyof typeof requests, count: number) => Promise<Record<Where, number>>;
}

interface Options {
  folder: string;
  bin: string;
  /** Has each message ask all servers. */
  isBroken: boolean;
  readonly say: Say;
}

/** Asks the same of an organization on one Postgres and of one on a divided database, in turns, and compares what servers spend. */
export async function compareCosts(
  divided: DistributedPostgres,
  { folder, bin, isBroken, say }: Options,
): Promise<CostsReport> {
  const settings = { max_connections: '500', shared_buffers: '64MB' };
  await using plain = await startPostgres({ dir: join(folder, 'plain'), bin, durable: true, settings, say });
  await migrate(plain.url, { finishes: true });
  await using one = await openAsked(join(folder, 'one'), plain.url, [plain]);
  await using many = await openAsked(join(folder, 'many'), divided.url, [
    divided.coordinator,
    ...divided.workers,
  ]);
  if (isBroken) await askAllServers(divided.url);
  const costs: DividedCost[] = [];
  for (const kind of ['send', 'history', 'register', 'flags'] as const) {
    say(`  ${requests[kind]}`);
    for (const asked of [one, many]) await asked.spend(kind, requestsOfRound);
    const spent: Record<'plain' | Where, number>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { here: plainSeconds } = await one.spend(kind, requestsOfRound);
      spent.push({ plain: plainSeconds, ...(await many.spend(kind, requestsOfRound)) });
    }
    const each = (what: 'plain' | Where) =>
      Math.round((sum(spent.map((round) => round[what])) * 1e6) / (rounds * requestsOfRound));
    costs.push({
      request: requests[kind],
      plain: each('plain'),
      here: each('here'),
      coordinator: each('coordinator'),
      elsewhere: each('elsewhere'),
    });
  }
  return { costs, anomalies: costs.flatMap(anomaliesOf) };
}

const anomaliesOf = ({ request, plain, here, coordinator, elsewhere }: DividedCost): string[] =>
  [
    { where: 'the server of the organization', spent: here, most: mostOf.here },
    { where: 'the coordinator', spent: coordinator, most: mostOf.elsewhere },
    { where: 'other servers', spent: elsewhere, most: mostOf.elsewhere },
  ]
    .filter(({ spent, most }) => spent > plain * most)
    .map(({ where, spent }) => `${request} takes ${spent} µs of ${where}`);

/** Has a node serve an organization of a database. */
async function openAsked(dir: string, databaseUrl: string, servers: readonly Postgres[]): Promise<Asked> {
  const redis = await startRedis({ dir, say: () => undefined });
  const { realmId, members } = await createChaosRealm(
    { databaseUrl, redisUrl: redis.url, secret },
    { name: realmName, members: people },
  );
  const [first] = servers;
  const port = servers.length > 1 ? await findPort(databaseUrl, realmId) : first?.port;
  const watched = servers.map((server) => {
    const sql = connectSql({ url: server.url, name: 'costs', max: 1 });
    const where: Where = server.port === port ? 'here' : server === first ? 'coordinator' : 'elsewhere';
    return { sql, where };
  });
  const env = {
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: String(connectionsOfNode),
    REDIS_URL: redis.url,
    PARLEY_SECRET: secret,
    BASE_HOST: 'localhost',
    ROOT_REALM: realmName,
    LOG_LEVEL: 'warn',
    UPLOADS_DIR: join(dir, 'uploads'),
    RATE_LIMIT_BY_USER: '60:100000000',
  };
  const api = await startProgram('services/api/dist/main.js', env);
  const ask = asking(api, members);
  return {
    async spend(kind, count) {
      const before = await Promise.all(watched.map(({ sql }) => secondsOfBackends(sql)));
      await ask(kind, count);
      const after = await Promise.all(watched.map(({ sql }) => secondsOfBackends(sql)));
      const spent = { here: 0, coordinator: 0, elsewhere: 0 };
      for (const [index, { where }] of watched.entries()) {
        for (const [pid, seconds] of after[index] ?? []) {
          spent[where] += seconds - (before[index]?.get(pid) ?? 0);
        }
      }
      return spent;
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await Promise.all(watched.map(({ sql }) => sql.end({ timeout: 5 })));
      await redis.stop();
    },
  };
}

/** Asks one request after the other of each of a few connections. What is marked as read are the messages that were sent. */
function asking(api: Program, members: readonly { id: number; authorization: string }[]) {
  const sent: { id: string; author: string }[] = [];
  const as = (number: number) => members[number % members.length]?.authorization ?? '';
  const channel = channelNames.square;
  const kinds = kindsOf({ channel, users: members, as, heardOf: new Map(), sent });
  const numbers = new Map<string, number>();
  return async (kind: keyof typeof requests, count: number) => {
    const requestOf = kinds[kind];
    const numbersLeft = Array.from({ length: count }, (_, index) => (numbers.get(kind) ?? 0) + index);
    numbers.set(kind, (numbers.get(kind) ?? 0) + count);
    const work = async () => {
      const connection = await RawConnection.open(api.port);
      for (let number = numbersLeft.shift(); number !== undefined; number = numbersLeft.shift()) {
        const body = (await connection.request(requestOf?.(number) ?? '')).toString('latin1');
        if (!body.startsWith('{"result":"success"')) throw new Error(body);
        const id = /"id":(\d+)/.exec(body)?.[1];
        if (kind === 'send' && id !== undefined) sent.push({ id, author: as(number) });
      }
      connection.close();
    };
    await Promise.all(Array.from({ length: connectionsOfNode }, work));
  };
}

/** Returns the processor time of each connection so far, in seconds. */
async function secondsOfBackends(sql: Sql): Promise<Map<number, number>> {
  const backends = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where backend_type in ('client backend', 'parallel worker') and pid <> pg_backend_pid()`;
  return new Map(backends.map(({ pid }) => [pid, secondsOf(pid)]));
}
