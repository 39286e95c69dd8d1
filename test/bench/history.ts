import { connectSql } from '@parley/db';

import { type QueryCounter, countQueries } from '../support/count-queries.ts';
import { encode } from '../support/http.ts';
import type { BigRealm } from './big-realm.ts';
import { secondsOf } from './costs.ts';
import type { Finding } from './finding.ts';
import { median, two } from './numbers.ts';
import { type Program, startProgram } from './processes.ts';

/** Statements are prepared when they were asked for five times, and on each connection. */
const connections = 2;
const warmUps = 12;
const repeats = 15;

/** What is asked for, and by whom. */
interface Page {
  name: string;
  who: 'reader' | 'absent';
  params: Record<string, unknown>;
  /** Whether it looks at everything unread, of which few match: it is measured, and nothing is claimed. */
  looksAtAll?: boolean;
}

/** A page of messages beside its floor: the rows of its messages by one statement, through the same driver. */
export interface PageCost {
  name: string;
  messages: number;
  kib: number;
  queries: number;
  /** Medians of what the request took, and the floor. */
  ms: number;
  floorMs: number;
  /** Processor time in ms: of Postgres and of the node for the request, of Postgres and the driver for the floor. */
  postgresMs: number;
  nodeMs: number;
  floorProcessorMs: number;
  /** What Postgres takes, beside the floor. */
  ratio: number;
  looksAtAll: boolean;
}

/** Who asks, and for what of the realm. */
export type Asking = Pick<
  BigRealm,
  'reader' | 'absent' | 'talkative' | 'channelId' | 'quietChannelId' | 'partnerId'
> & { realmId: number; authorizationOf: (user: { id: number; email: string }) => string };

const newest = { anchor: 'newest', num_before: 100, num_after: 0 };
const oldest = { anchor: 'oldest', num_before: 0, num_after: 100 };
const firstUnread = { anchor: 'first_unread', num_before: 50, num_after: 50 };

function pagesOf({ channelId, quietChannelId, partnerId, talkative }: Asking, newestId: number): Page[] {
  const around = { anchor: String(Math.floor(newestId / 2)), num_before: 50, num_after: 50 };
  const channel = ['channel', channelId];
  const quiet = ['channel', quietChannelId];
  const topic = ['topic', 'topic 3'];
  const unread = ['is', 'unread'];
  const partner = ['sender', partnerId];
  const page =
    (who: Page['who']) =>
    (name: string, params: object, ...narrow: unknown[]): Page => ({
      name: who === 'reader' ? name : `${name}, of somebody who was away`,
      who,
      params: { ...params, narrow },
    });
  const reads = page('reader');
  const returns = page('absent');
  return [
    reads('everything, newest', newest),
    reads('everything, oldest', oldest),
    reads('everything, around', around),
    reads('everything, first unread', firstUnread),
    reads('channel, newest', newest, channel),
    reads('channel, oldest', oldest, channel),
    reads('channel, around', around, channel),
    reads('channel, first unread', firstUnread, channel),
    reads('topic, newest', newest, channel, topic),
    reads('topic, oldest', oldest, channel, topic),
    reads('topic, around', around, channel, topic),
    reads('topic, first unread', firstUnread, channel, topic),
    reads('direct messages, newest', newest, ['is', 'dm']),
    reads('direct conversation, newest', newest, ['dm', [partnerId]]),
    reads('direct conversation, oldest', oldest, ['dm', [partnerId]]),
    reads('unread, newest', newest, unread),
    reads('unread, oldest', oldest, unread),
    reads('unread, around', around, unread),
    reads('unread in a channel, oldest', oldest, channel, unread),
    reads('unread in a topic, oldest', oldest, channel, topic, unread),
    { ...reads('unread of a sender, oldest', oldest, unread, ['sender', talkative.id]), looksAtAll: true },
    reads('starred, newest', newest, ['is', 'starred']),
    reads('starred, oldest', oldest, ['is', 'starred']),
    reads('starred in a channel, newest', newest, ['is', 'starred'], channel),
    reads('links, newest', newest, ['has', 'link']),
    reads('links, around', around, ['has', 'link']),
    reads('links in a channel, newest', newest, channel, ['has', 'link']),
    reads('links in a topic, newest', newest, channel, topic, ['has', 'link']),
    reads('sender, newest', newest, ['sender', talkative.id]),
    reads('sender, oldest', oldest, ['sender', talkative.id]),
    reads('sender in a channel, newest', newest, channel, ['sender', talkative.id]),
    reads('sender in another channel, newest', newest, quiet, ['sender', talkative.id]),
    reads('sender of few in a channel, newest', newest, channel, partner),
    reads('sender and links, newest', newest, ['sender', talkative.id], ['has', 'link']),
    reads('search in a channel, newest', newest, channel, ['search', 'lunch']),
    reads('search in another channel, newest', newest, quiet, ['search', 'lunch']),
    reads('search among direct messages of a sender', newest, ['is', 'dm'], partner, ['search', 'lunch']),
    reads('search in a direct conversation', newest, ['dm', [partnerId]], ['search', 'lunch']),
    returns('everything, first unread', firstUnread),
    returns('unread, newest', newest, unread),
    returns('unread, oldest', oldest, unread),
    returns('unread, around', around, unread),
    returns('channel, first unread', firstUnread, channel),
    returns('topic, first unread', firstUnread, channel, topic),
    returns('unread in a topic, oldest', oldest, channel, topic, unread),
    returns('unread in a topic, newest', newest, channel, topic, unread),
  ];
}

interface Reply {
  messages: { id: number }[];
}

/** Pages of a node of its own, one after the other, each in turn with its floor. */
export async function measureHistory(
  env: Record<string, string>,
  asking: Asking,
  newestId: number,
): Promise<PageCost[]> {
  await using counter = await countQueries(env['DATABASE_URL'] ?? '');
  const own = { DATABASE_URL: counter.url, DATABASE_CONNECTIONS: String(connections) };
  await using program = await startProgram('services/api/dist/main.js', { ...env, ...own });
  const sql = connectSql({ url: env['DATABASE_URL'] ?? '', name: 'floor', max: 1 });
  const costs: PageCost[] = [];
  for (const page of pagesOf(asking, newestId)) {
    costs.push(await costOf({ program, counter, sql, asking }, page));
  }
  await sql.end({ timeout: 5 });
  return costs;
}

interface Measuring {
  program: Program;
  counter: QueryCounter;
  sql: ReturnType<typeof connectSql>;
  asking: Asking;
}

async function costOf({ program, counter, sql, asking }: Measuring, page: Page): Promise<PageCost> {
  const fields = encode(page.params);
  const headers = { Authorization: asking.authorizationOf(asking[page.who]) };
  const ask = async () => {
    const reply = await fetch(`http://localhost:${program.port}/api/v1/messages?${fields}`, { headers });
    const body = await reply.text();
    if (!reply.ok) throw new Error(`${page.name}: ${body.slice(0, 300)}`);
    return body;
  };
  let body = '';
  for (let warming = 0; warming < warmUps; warming += 1) body = await ask();
  // Safe: it is what the endpoint answers.
  const ids = (JSON.parse(body) as Reply).messages.map(({ id }) => id);
  const readRows = () =>
    sql`select * from messages where realm_id = ${asking.realmId} and id = any(${ids}::bigint[]) order by id`;
  for (let warming = 0; warming < 3; warming += 1) await readRows();
  const nodes = await pidsOf(sql, 'parley-api%');
  const floors = await pidsOf(sql, 'parley-floor');
  const spent = { postgres: 0, node: 0, floor: 0 };
  const [times, floorTimes]: [number[], number[]] = [[], []];
  counter.take();
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const before = { postgres: sumOf(nodes), node: program.cpuSeconds() };
    const startMs = performance.now();
    await ask();
    times.push(performance.now() - startMs);
    spent.postgres += sumOf(nodes) - before.postgres;
    spent.node += program.cpuSeconds() - before.node;
    const floorBefore = { postgres: sumOf(floors), driver: process.cpuUsage() };
    const floorStartMs = performance.now();
    await readRows();
    floorTimes.push(performance.now() - floorStartMs);
    const { user, system } = process.cpuUsage(floorBefore.driver);
    spent.floor += sumOf(floors) - floorBefore.postgres + (user + system) / 1e6;
  }
  const { queries } = counter.take();
  const each = (seconds: number) => two((seconds * 1000) / repeats);
  const [ms, floorMs] = [median(times), median(floorTimes)];
  return {
    name: page.name,
    messages: ids.length,
    kib: Math.round(body.length / 1024),
    queries: Math.round(queries / repeats),
    ms: two(ms),
    floorMs: two(floorMs),
    postgresMs: each(spent.postgres),
    nodeMs: each(spent.node),
    floorProcessorMs: each(spent.floor),
    // Of a page without messages there is no floor.
    ratio: ids.length === 0 ? 0 : two(spent.postgres / spent.floor),
    looksAtAll: page.looksAtAll ?? false,
  };
}

const sumOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + secondsOf(pid), 0);

async function pidsOf(sql: Measuring['sql'], name: string): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name like ${name}`;
  return rows.map(({ pid }) => pid);
}

/**
 * What is read of Postgres is so many times its floor at most: the rows of the page by one statement, with the driver. What
 * the node makes of them for the reader stands apart. Both together take so many milliseconds at most.
 */
const ratioMax = 4;
const processorMsMax = 40;

/** Pages among a million messages, and how they have grown while the history grew fourfold. */
export function findHistory(
  small: readonly PageCost[],
  full: readonly PageCost[],
  growthMax: number,
  size: Record<string, number>,
): Finding {
  const pages = full.map((page) => {
    const before = small.find(({ name }) => name === page.name) ?? page;
    return { ...page, growth: two((page.postgresMs + page.nodeMs) / (before.postgresMs + before.nodeMs)) };
  });
  const claimed = pages.filter(({ looksAtAll }) => !looksAtAll);
  const most = (of: (page: (typeof pages)[number]) => number) => two(Math.max(...claimed.map(of)));
  const [ratio, ms, growth] = [
    most((page) => page.ratio),
    most((page) => page.postgresMs + page.nodeMs),
    most((page) => page.growth),
  ];
  const title = 'GET /messages of 100';
  return {
    figures: { ...size, pages },
    claim: {
      holds: ratio <= ratioMax && ms <= processorMsMax && growth < growthMax,
      result: `${title}: ${ratio} × the rows by one statement at most, of ${ratioMax}; ${ms} ms of processor time at most, of ${processorMsMax}; four times the messages take ${growth} × the time at most`,
    },
    rows: [
      [
        `${title}; processor time in ms`,
        'Postgres  floor  ratio  node  | elapsed, ms  floor  messages  queries  KiB  growth',
      ],
      ...pages.map((page): [string, string] => [
        `  ${page.name}${page.looksAtAll ? ' (without a claim)' : ''}`,
        [
          page.postgresMs,
          page.floorProcessorMs,
          page.ratio,
          page.nodeMs,
          '|',
          page.ms,
          page.floorMs,
          page.messages,
          page.queries,
          page.kib,
          page.growth,
        ].join('  '),
      ]),
    ],
    picture: pages.map(({ name, postgresMs }): [string, number] => [`${name}: Postgres, ms`, postgresMs]),
  };
}
