import { text } from 'node:stream/consumers';

import * as actions from '@parley/actions';
import { connectSql } from '@parley/db';
import { spawnTied } from '@parley/infra';

import type { BenchServers } from './bench-servers.ts';
import { secondsOf } from './costs.ts';
import { gatherCrowd } from './crowd.ts';
import type { Bench, Finding, Say } from './finding.ts';
import { median, percentile, two } from './numbers.ts';
import { senderTo } from './plan.ts';
import { RawConnection, postRequest } from './poller.ts';
import { startProgram } from './processes.ts';
import { type Narrow, search } from './search-request.ts';
import {
  type SearchedHistory,
  foundSearchedHistory,
  hiddenWord,
  ticketOf,
  wordAt,
} from './searched-history.ts';
import { rate } from './sends.ts';

const searchersMain = new URL('searchers-main.js', import.meta.url).pathname;
const [warmUps, requestsOfKind] = [6, 40];
/** Searches of a kind begin for so long. */
const msOfKind = 45_000;
/** A plain search that takes longer is ended, and counts as so long. */
const plainMsMax = 20_000;
const buildMemory = '1GB';
const [sendTotal, sendWorkers, turns] = [10_000, 64, 3];
const content = 'A message of a usual length, to everyone here.';
/** Sends that are timed, calm and beside people who search all the time. */
const [timedSends, sendsPerSecond, searchers] = [2000, 40, 10];
/** What the most frequent words may take, in the middle; and how much later others' sends may be. */
const [frequentMsMax, laterMax] = [50, 2];

/** A kind of search: what is asked for the so many-th time, and its words for a plain index. */
interface Kind {
  name: string;
  ask: (number: number) => Narrow;
  plain: (number: number) => string | null;
}

function kindsOf({ channelId }: SearchedHistory, total: number): Kind[] {
  const words = (name: string, of: (number: number) => string): Kind => ({
    name,
    ask: (number) => [['search', of(number)]],
    plain: of,
  });
  const withoutPeer = (kind: Kind): Kind => ({ ...kind, plain: () => null });
  const lastTicket = (number: number) => {
    let at = total - number * 1000;
    while (ticketOf(at) === undefined) at -= 1;
    return ticketOf(at) ?? '';
  };
  return [
    words('the most frequent words', (n) => wordAt(n % 3)),
    words('words of one message in ten', (n) => wordAt(10 + (n % 8))),
    words('words of one in a thousand', (n) => wordAt(1000 + n * 7)),
    words('words of one in thirty thousand', (n) => wordAt(30_000 + n * 101)),
    words('a word of one message', lastTicket),
    words('two frequent words', (n) => `${wordAt(n % 3)} ${wordAt(4 + (n % 5))}`),
    words('two words that rarely meet', (n) => `${wordAt(400 + n * 3)} ${wordAt(700 + n * 5)}`),
    words('a phrase of frequent words', (n) => `"${wordAt(n % 3)} ${wordAt(4 + (n % 5))}"`),
    words('a word of private channels alone', () => hiddenWord),
    {
      ...words('', (n) => wordAt(n % 3)),
      name: 'frequent words in a channel',
      ask: (n) => [
        ['channel', channelId],
        ['search', wordAt(n % 3)],
      ],
    },
    withoutPeer(words('the beginning of a word', (n) => `${wordAt(2000 + n * 11).slice(0, 4)}*`)),
    withoutPeer(words('a typing error', (n) => wordAt(5000 + n * 11).replace(/^(..)./, '$1x'))),
  ];
}

interface SearchCost {
  name: string;
  found: number;
  p50: number;
  p99: number;
  /** Processor time of Postgres for one, in ms. */
  postgresMs: number;
  plainP50: number | null;
  plainP99: number | null;
}

/** Each kind of search in turn, by an api node of its own, and beside it by a plain index of English words. */
async function measureSearches(
  servers: BenchServers,
  history: SearchedHistory,
  kinds: readonly Kind[],
  { hasPlain, say }: { hasPlain: boolean; say: Say },
): Promise<SearchCost[]> {
  const { sql, env } = servers;
  await using program = await startProgram('services/api/dist/main.js', env);
  const plain = connectSql({ url: env['DATABASE_URL'] ?? '', name: 'plain', max: 1 });
  await plain`select set_config('statement_timeout', ${String(plainMsMax)}, false)`;
  const costs: SearchCost[] = [];
  const [reader] = history.readers;
  if (!reader) throw new Error('There are no readers.');
  const ask = (narrow: Narrow) => search(program.port, servers.authorizationOf(reader), narrow);
  for (const kind of kinds) {
    say(`searches: ${kind.name} …`);
    let found = 0;
    const warmEnd = performance.now() + msOfKind;
    for (let number = 0; number < warmUps && performance.now() < warmEnd; number += 1)
      await ask(kind.ask(number));
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and application_name like 'parley-api%'`;
    const spent = () => backends.reduce((sum, { pid }) => sum + secondsOf(pid), 0);
    const before = spent();
    const [times, plainTimes]: [number[], number[]] = [[], []];
    const end = performance.now() + msOfKind;
    for (let number = 0; number < requestsOfKind && performance.now() < end; number += 1) {
      const startMs = performance.now();
      const reply = await ask(kind.ask(number));
      times.push(performance.now() - startMs);
      found += reply?.messages.length ?? 0;
    }
    const postgresMs = two(((spent() - before) * 1000) / times.length);
    const plainEnd = performance.now() + (hasPlain ? msOfKind : 0);
    for (let number = 0; number < requestsOfKind && performance.now() < plainEnd; number += 1) {
      const words = kind.plain(number);
      if (words !== null) plainTimes.push(await searchPlainly(plain, servers, history, words));
    }
    const cost = {
      name: kind.name,
      found: Math.round(found / times.length),
      p50: two(median(times)),
      p99: two(percentile(times, 0.99)),
      postgresMs,
      plainP50: plainTimes.length > 0 ? two(median(plainTimes)) : null,
      plainP99: plainTimes.length > 0 ? two(percentile(plainTimes, 0.99)) : null,
    };
    costs.push(cost);
    say(
      `  ${cost.p50} ms, ${cost.p99} at the 99th percentile; by the plain index ${cost.plainP50 ?? '–'} and ${cost.plainP99 ?? '–'}`,
    );
  }
  await plain.end({ timeout: 5 });
  return costs;
}

/** The ids of a page as one statement finds them by an index of English words; in milliseconds. */
async function searchPlainly(
  plain: ReturnType<typeof connectSql>,
  { actor }: BenchServers,
  { readable }: SearchedHistory,
  words: string,
): Promise<number> {
  const startMs = performance.now();
  try {
    await plain`
      select id from messages
      where realm_id = ${actor.realm.id} and conversation_id = any(${[...readable]}::bigint[])
        and to_tsvector('english', content) @@ websearch_to_tsquery('english', ${words})
      order by id desc limit 100`;
  } catch (error) {
    if (performance.now() - startMs < plainMsMax) throw error;
  }
  return performance.now() - startMs;
}

interface Built {
  seconds: number;
  bytesOfMessage: number;
}

/** Makes an index, and says how long that took and how large it is. */
async function build(
  { env }: BenchServers,
  name: string,
  statement: string,
  messages: number,
): Promise<Built> {
  const sql = connectSql({ url: env['DATABASE_URL'] ?? '', name: 'build', max: 1 });
  await sql`select set_config('maintenance_work_mem', ${buildMemory}, false), set_config('statement_timeout', '0', false)`;
  const startMs = performance.now();
  await sql.unsafe(statement);
  const seconds = two((performance.now() - startMs) / 1000);
  const [size] = await sql<{ bytes: number }[]>`select pg_relation_size(${name}::regclass)::float8 as bytes`;
  await sql.end({ timeout: 5 });
  return { seconds, bytesOfMessage: Math.round((size?.bytes ?? 0) / messages) };
}

/** Collects the words of all messages, as the worker does; in seconds. */
async function collectWords({ engine, actor }: BenchServers): Promise<number> {
  const startMs = performance.now();
  for (let hasMore = true; hasMore;)
    ({ hasMore } = await actions.messages.collectTerms(engine.db, { realmId: actor.realm.id }));
  return two((performance.now() - startMs) / 1000);
}

/** Messages into the log a second with the index and without it, in turns. Then the index is no longer of use. */
async function sendsWithAndWithout(servers: BenchServers, channel: string, say: Say) {
  const { sql } = servers;
  const { send } = await senderTo(servers, channel);
  const rates = { with: [] as number[], without: [] as number[] };
  for (let turn = 1; turn <= turns; turn += 1) {
    for (const kind of ['without', 'with'] as const) {
      say(`sends ${kind} the index, ${turn} of ${turns} …`);
      await sql`
        update pg_index set indisready = ${kind === 'with'} where indexrelid = 'messages_search_keys'::regclass`;
      rates[kind].push(await rate(sendTotal, sendWorkers, () => send(content)));
      if (kind === 'with') await sql`select merge_search_indexes()`;
    }
  }
  return { with: median(rates.with), without: median(rates.without) };
}

/** How long sends take, one after the other at a fixed rate: calm, and while some search for frequent words all the time. */
async function timeSends(servers: BenchServers, history: SearchedHistory, channel: string, say: Say) {
  await using program = await startProgram('services/api/dist/main.js', servers.env);
  await using worker = await startProgram('services/worker/dist/main.js', servers.env);
  const form = new URLSearchParams({ type: 'channel', to: channel, topic: 'bench', content }).toString();
  const request = postRequest('/api/v1/messages', servers.authorizationOf(servers.actor), form);
  const connection = await RawConnection.open(program.port);
  const run = async () => {
    const times: number[] = [];
    const startMs = performance.now();
    for (let number = 0; number < timedSends; number += 1) {
      const restMs = startMs + (number * 1000) / sendsPerSecond - performance.now();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
      const sentMs = performance.now();
      await connection.request(request);
      times.push(performance.now() - sentMs);
    }
    return {
      p50: two(median(times)),
      p99: two(percentile(times, 0.99)),
      p999: two(percentile(times, 0.999)),
    };
  };
  say('sends, calm …');
  await run();
  const calm = await run();
  say(`sends beside ${searchers} who search …`);
  const searching = startSearchers(servers, history, program.port);
  const beside = await run();
  const searched = await searching.end();
  connection.close();
  say(`  ${calm.p50} and ${calm.p99} ms, calm; ${beside.p50} and ${beside.p99} ms beside them`);
  return { calm, beside, searched, workerSeconds: two(worker.cpuSeconds()) };
}

/** People who search all the time, in a process of their own: what they read is not read where sends are timed. */
function startSearchers(servers: BenchServers, { readers }: SearchedHistory, port: number) {
  const authorizations = readers.slice(0, searchers).map((reader) => servers.authorizationOf(reader));
  const child = spawnTied(process.execPath, [searchersMain, JSON.stringify({ port, authorizations })], {
    stdio: ['pipe', 'pipe', 'inherit'],
    deathSignal: 'KILL',
  });
  return {
    async end() {
      child.stdin?.end();
      const said = child.stdout ? await text(child.stdout) : '';
      // Safe: it is what that process prints.
      return JSON.parse(said) as { answered: number; refused: number };
    },
  };
}

const plainIndex = 'create index bench_plain on messages using gin (to_tsvector($$english$$, content))';

/** Searches and the cost of their index at a hundredth of the messages and at all of them, beside a plain index of words. */
export const searches: Bench = async (servers, say, { messages, broken }) => {
  const { sql } = servers;
  const history = await foundSearchedHistory(servers);
  const { channel } = await gatherCrowd(servers, 100);
  const [definition] = await sql<{ text: string }[]>`
    select pg_get_indexdef('messages_search_keys'::regclass) as text`;
  const measureAt = async (total: number, added: number, hasPlain: boolean) => {
    say(`${total} messages …`);
    await sql`drop index if exists messages_search_keys, bench_plain`;
    const startMs = performance.now();
    await history.grow(added);
    const filledSeconds = two((performance.now() - startMs) / 1000);
    say('the index, and the words …');
    const collecting = collectWords(servers);
    const ours = await build(servers, 'messages_search_keys', definition?.text ?? '', total);
    if (hasPlain) say('a plain index …');
    const plain = hasPlain ? await build(servers, 'bench_plain', plainIndex, total) : null;
    say(
      `the index took ${ours.seconds} s and ${ours.bytesOfMessage} bytes of a message; the plain one ${plain?.seconds ?? '–'} s and ${plain?.bytesOfMessage ?? '–'} bytes; words …`,
    );
    const collectedSeconds = await collecting;
    await vacuum(servers);
    if (broken === 'searches') await sql`drop index messages_search_keys`;
    const costs = await measureSearches(servers, history, kindsOf(history, total), { hasPlain, say });
    return { total, filledSeconds, ours, plain, collectedSeconds, costs };
  };
  const few = Math.round(messages / 100);
  const small = await measureAt(few, few, false);
  const full = await measureAt(messages, messages - few, true);
  await sql`drop index bench_plain`;
  const timed = broken === 'searches' ? null : await timeSends(servers, history, channel, say);
  if (timed) full.costs.push(...(await measureBehind(servers, history, say)));
  const sent = broken === 'searches' ? null : await sendsWithAndWithout(servers, channel, say);
  return findSearches(small, full, timed, sent);
};

/** The most frequent words once more, where the newest messages, which were timed, have none of them. */
async function measureBehind(servers: BenchServers, history: SearchedHistory, say: Say) {
  const [frequent] = kindsOf(history, 0);
  if (!frequent) return [];
  const name = `the most frequent words, behind ${3 * timedSends} messages without them`;
  return await measureSearches(servers, history, [{ ...frequent, name }], { hasPlain: false, say });
}

async function vacuum({ env }: BenchServers): Promise<void> {
  const sql = connectSql({ url: env['DATABASE_URL'] ?? '', name: 'vacuum', max: 1 });
  await sql`select set_config('statement_timeout', '0', false)`;
  await sql`vacuum analyze`;
  await sql.end({ timeout: 5 });
}

interface Measured {
  total: number;
  filledSeconds: number;
  ours: Built;
  plain: Built | null;
  collectedSeconds: number;
  costs: SearchCost[];
}

function findSearches(
  small: Measured,
  full: Measured,
  timed: Awaited<ReturnType<typeof timeSends>> | null,
  sent: Awaited<ReturnType<typeof sendsWithAndWithout>> | null,
): Finding {
  const frequentMs = full.costs[0]?.p50 ?? Infinity;
  const later = timed ? two(timed.beside.p99 / timed.calm.p99) : null;
  const row = (cost: SearchCost): [string, string] => [
    `  ${cost.name}`,
    [
      cost.p50,
      cost.p99,
      cost.postgresMs,
      small.costs.find(({ name }) => name === cost.name)?.p50 ?? '',
      '|',
      cost.plainP50 ?? '–',
      cost.plainP99 ?? '–',
      '|',
      cost.found,
    ].join('  '),
  ];
  const times = ({ p50, p99, p999 }: { p50: number; p99: number; p999: number }) => `${p50}  ${p99}  ${p999}`;
  return {
    figures: { small, full, timed, sent },
    claim: {
      holds: frequentMs <= frequentMsMax && (later === null || later <= laterMax),
      result: `the most frequent words among ${full.total} messages in ${frequentMs} ms, of ${frequentMsMax}${later === null ? '' : `; sends beside ${searchers} who search are ${later} × as late at the 99th percentile, of ${laterMax}`}`,
    },
    rows: [
      [
        `the index of ${full.total} messages: seconds, bytes of a message`,
        `${full.ours.seconds}  ${full.ours.bytesOfMessage}`,
      ],
      [
        '  a plain index of English words',
        `${full.plain?.seconds ?? '–'}  ${full.plain?.bytesOfMessage ?? '–'}`,
      ],
      ['  seconds to collect their words', full.collectedSeconds],
      ['searches, ms', `p50  p99  Postgres’ processor  p50 at ${small.total} | plain p50  p99 | found`],
      ...full.costs.map(row),
      ...(sent === null
        ? []
        : ([
            ['messages into the log/s with the index', sent.with],
            ['  without it', sent.without],
          ] satisfies [string, number][])),
      ...(timed === null
        ? []
        : ([
            [`sends, ${sendsPerSecond} a second, ms: p50 p99 p99.9`, times(timed.calm)],
            [
              `  beside ${searchers} who search, who were answered ${timed.searched.answered} times, and refused ${timed.searched.refused} times`,
              times(timed.beside),
            ],
          ] satisfies [string, string][])),
    ],
    picture: full.costs.map(({ name, p50 }): [string, number] => [`${name}, ms`, p50]),
  };
}
