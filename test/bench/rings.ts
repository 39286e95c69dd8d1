import * as actions from '@parley/actions';
import { type QueueRecord, registeredId } from '@parley/protocol';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import type { BenchServers } from './bench-servers.ts';
import { registerQueues } from './fan-out.ts';
import type { Bench, Say } from './finding.ts';
import { two } from './numbers.ts';
import { RawConnection, getRequest } from './poller.ts';
import { type Program, startProgram } from './processes.ts';

/** What is in the log of each realm before it begins, and the length of each entry's text. */
const [entriesOfRealm, textLength] = [400, 1000];
const entriesAtOnce = 100;
/** Realms that are founded, or whose clients ask, at the same time. */
const foundedAtOnce = 6;
const clientsAtOnce = 16;
const visitsPerSecond = 60;
/** Every so many visits a client asks for all of its log again. */
const wholeEvery = 5;
const sampleMs = 5000;
/** What rings may hold, in MiB, and what entries may have grown by as they were sent: the next use of a ring counts it. */
const [ringsMib, grownMib] = [128, 4];
const containerMib = 1024;
const mib = 1024 * 1024;
/** What Node chooses in such a container, and what the image sets: on a large machine it collects later. */
const asInContainer = '--max-old-space-size=512 --max-semi-space-size=16';
/** The middle third of the time against the last: garbage that is not collected yet makes it swing. */
const growthMax = 1.1;

interface Home {
  realmId: number;
  name: string;
  registeredAt: number;
  user: { id: number; email: string };
  host: string;
  record: QueueRecord;
  /** How many entries there are, and how many the client has heard. */
  appended: number;
  heard: number;
  cursor: number;
}

interface Sample {
  seconds: number;
  rssMib: number;
  heapMib: number;
  ringsMib: number;
  realms: number;
}

/**
 * A node follows thousands of realms whose logs are many times what rings may hold, and whose clients come and go: its
 * memory stays level, and what rings have given up is served from Postgres as it was.
 */
export const rings: Bench = async (servers, say, { realms, seconds, broken }) => {
  const homes = await foundHomes(servers, realms, say);
  const env = {
    ...servers.env,
    METRICS_PORT: '0',
    NODE_OPTIONS: asInContainer,
    MALLOC_ARENA_MAX: '2',
    ...(broken === 'budget' && { RING_TOTAL_MEGABYTES: '100000' }),
  };
  await using node = await startProgram('services/queue/dist/main.js', env);
  const samples: Sample[] = [];
  const tally = { visits: 0, events: 0, wrong: 0 };
  const stopping = new AbortController();
  const startMs = performance.now();
  const sampling = sampleUntil(node, samples, startMs, stopping.signal, (sample) => {
    say(
      `${sample.seconds} s  ${tally.visits} visits  ${tally.events} events  ${tally.wrong} wrong  RSS ${sample.rssMib}  heap ${sample.heapMib}  rings ${sample.ringsMib} MiB of ${sample.realms} realms`,
    );
  });
  const appending = appendUntil(servers, homes, stopping.signal);
  // All of them are opened first: that is not what is to stay level.
  await visitAll(servers, node, homes, tally);
  const openedSeconds = Math.round((performance.now() - startMs) / 1000);
  await visitUntil(servers, node, homes, tally, performance.now() + seconds * 1000);
  stopping.abort();
  await Promise.all([sampling, appending]);
  return found(samples, openedSeconds, homes.length, tally);
};

function found(
  samples: readonly Sample[],
  openedSeconds: number,
  realms: number,
  tally: { visits: number; events: number; wrong: number },
) {
  const level = samples.filter((sample) => sample.seconds > openedSeconds);
  const third = Math.ceil(level.length / 3);
  const mean = (some: readonly Sample[]) => some.reduce((sum, { rssMib }) => sum + rssMib, 0) / some.length;
  const growth = two(mean(level.slice(-third)) / mean(level.slice(third, 2 * third)));
  const most = (key: keyof Sample) => Math.max(...samples.map((sample) => sample[key]));
  const logMib = Math.round((realms * entriesOfRealm * (textLength + 100)) / mib);
  const holds =
    tally.wrong === 0 &&
    growth <= growthMax &&
    most('ringsMib') <= ringsMib + grownMib &&
    most('rssMib') < containerMib &&
    most('realms') === realms;
  return {
    figures: { realms, log_mib: logMib, opened_seconds: openedSeconds, ...tally, growth, samples },
    claim: {
      holds,
      result: `${realms} realms with ${logMib} MiB of log: rings ${most('ringsMib')} MiB, RSS ${most('rssMib')} MiB at most, ${growth} × from the second third to the last, ${tally.wrong} of ${tally.events} events wrong`,
    },
    rows: [
      [`${realms} realms with full rings, MiB`, 'RSS  heap  rings'],
      ...samples
        .filter((_, index) => index % Math.ceil(samples.length / 12) === 0)
        .map((sample): [string, string] => [
          `  after ${sample.seconds} s`,
          `${sample.rssMib}  ${sample.heapMib}  ${sample.ringsMib}`,
        ]),
      ['  most', `${most('rssMib')}  ${most('heapMib')}  ${most('ringsMib')}`],
      ['  RSS of the last third against the second', growth],
      ['  events that clients heard, and that were not what the log says', `${tally.events}  ${tally.wrong}`],
    ] satisfies [string, string | number][],
    picture: [],
  };
}

/** Founds realms with a person each, who has a queue from before the realm's log began to fill. */
async function foundHomes(servers: BenchServers, count: number, say: Say): Promise<Home[]> {
  const homes: Awaited<ReturnType<typeof foundHome>>[] = [];
  let begun = 0;
  const found = async () => {
    while (begun < count) {
      begun += 1;
      homes.push(await foundHome(servers, begun));
      if (homes.length % 100 === 0) say(`${homes.length} of ${count} realms have a full log …`);
    }
  };
  await Promise.all(Array.from({ length: foundedAtOnce }, found));
  // That took longer than a queue may idle.
  return await Promise.all(
    homes.map(async (home) => ({ ...home, heard: 0, ...(await register(servers, home)) })),
  );
}

async function foundHome(servers: BenchServers, number: number) {
  const { engine, sql } = servers;
  const name = `ring${number}`;
  const email = `person@${name}.example`;
  const { id: realmId } = await engine.db.transaction((tx) =>
    actions.realms.create(tx, { name, displayName: name, emailDomain: `${name}.example` }),
  );
  const [user] = await sql<{ id: number; email: string }[]>`
    insert into users (realm_id, email, full_name, role) values (${realmId}, ${email}, 'Person', 400)
    returning id, email`;
  if (!user) throw new Error('Nobody was made.');
  const [head] = await sql<{ seq: number }[]>`select seq from realm_heads where realm_id = ${realmId}`;
  const filled = { realmId, user, appended: 0 };
  while (filled.appended < entriesOfRealm) await append(servers, filled, entriesAtOnce);
  return { ...filled, name, host: `${name}.localhost`, registeredAt: head?.seq ?? 0 };
}

/** Registers the queue that the person had before the log began to fill. */
async function register(
  servers: BenchServers,
  { realmId, name, user, registeredAt }: Pick<Home, 'realmId' | 'name' | 'user' | 'registeredAt'>,
): Promise<Pick<Home, 'record' | 'cursor'>> {
  const actor = { realm: { id: realmId, name } };
  const [record] = await registerQueues({ ...servers, actor }, [user], registeredAt);
  if (!record) throw new Error('There is no queue.');
  return { record, cursor: registeredId(record) };
}

const padding = 'x'.repeat(textLength);

/** Appends entries that say their number, for the person of the realm. */
async function append(
  { engine }: Pick<BenchServers, 'engine'>,
  home: Pick<Home, 'realmId' | 'user' | 'appended'>,
  count: number,
): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    audience: { users: [home.user.id] },
    event: { type: 'alert_words' as const, alert_words: [`#${home.appended + index}#`, padding] },
  }));
  await performAdHoc(engine, home.realmId, () => Promise.resolve({ events }));
  home.appended += count;
}

/** Appends to one realm after the other; nobody publishes it, so nodes find it by comparing heads. */
async function appendUntil(
  servers: BenchServers,
  homes: readonly Home[],
  signal: AbortSignal,
): Promise<void> {
  for (let next = 0; !signal.aborted; next += 1) {
    const home = homes[next % homes.length];
    if (home) await append(servers, home, 5);
    await pauseMs(20);
  }
}

const pauseMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a client hears after a cursor until it has all that there was when it began, in order. */
async function hear(
  servers: BenchServers,
  connection: RawConnection,
  { user, host, record, appended }: Home,
  from: { heard: number; cursor: number },
): Promise<{ heard: number; cursor: number; wrong: number }> {
  let { heard, cursor } = from;
  let wrong = 0;
  while (heard < appended) {
    const path = `/api/v1/events?queue_id=${record.id}&last_event_id=${cursor}&dont_block=true`;
    const body = await connection.request(getRequest(path, servers.authorizationOf(user), host));
    // Safe: replies are compared with what was appended.
    const { events } = JSON.parse(body.toString()) as { events?: { id: number; alert_words?: string[] }[] };
    if (!events) throw new Error(`A poll was refused: ${body.subarray(0, 200).toString()}`);
    for (const { id, alert_words: words } of events) {
      if (id <= cursor) wrong += 1;
      cursor = Math.max(cursor, id);
      // A heartbeat says nothing.
      if (!words) continue;
      if (words[0] !== `#${heard}#`) wrong += 1;
      heard += 1;
    }
    // What is not carried is found within a second.
    if (!events.some(({ alert_words: words }) => words)) await pauseMs(100);
  }
  return { heard, cursor, wrong };
}

async function visit(
  servers: BenchServers,
  connection: RawConnection,
  home: Home,
  tally: { visits: number; events: number; wrong: number },
  isWhole: boolean,
): Promise<void> {
  const from = isWhole ? { heard: 0, cursor: registeredId(home.record) } : home;
  const before = from.heard;
  const { heard, cursor, wrong } = await hear(servers, connection, home, from);
  Object.assign(home, { heard, cursor });
  tally.visits += 1;
  tally.events += heard - before;
  tally.wrong += wrong;
}

async function visitAll(
  servers: BenchServers,
  node: Program,
  homes: readonly Home[],
  tally: Parameters<typeof visit>[3],
): Promise<void> {
  let next = 0;
  await withConnections(node, async (connection) => {
    for (let home = homes[next++]; home; home = homes[next++])
      await visit(servers, connection, home, tally, true);
  });
}

async function visitUntil(
  servers: BenchServers,
  node: Program,
  homes: readonly Home[],
  tally: Parameters<typeof visit>[3],
  untilMs: number,
): Promise<void> {
  let next = 0;
  const startMs = performance.now();
  await withConnections(node, async (connection) => {
    while (performance.now() < untilMs) {
      next += 1;
      const place = next;
      const home = homes[place % homes.length];
      if (!home) throw new Error('There are no realms.');
      const waitMs = startMs + (place * 1000) / visitsPerSecond - performance.now();
      if (waitMs > 0) await pauseMs(waitMs);
      await visit(servers, connection, home, tally, place % wholeEvery === 0);
    }
  });
}

async function withConnections(node: Program, work: (connection: RawConnection) => Promise<void>) {
  await Promise.all(
    Array.from({ length: clientsAtOnce }, async () => {
      const connection = await RawConnection.open(node.port);
      await work(connection);
      connection.close();
    }),
  );
}

async function sampleUntil(
  node: Program,
  samples: Sample[],
  startMs: number,
  signal: AbortSignal,
  show: (sample: Sample) => void,
): Promise<void> {
  while (!signal.aborted) {
    await pauseMs(sampleMs);
    const text = await (await fetch(`http://127.0.0.1:${node.metricsPort}/metrics`)).text();
    const value = (name: string) =>
      Number(new RegExp(`^${name} ([\\d.e+]+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    const sample = {
      seconds: Math.round((performance.now() - startMs) / 1000),
      rssMib: node.memoryMib('VmRSS'),
      heapMib: Math.round(value('nodejs_heap_size_used_bytes') / mib),
      ringsMib: two(value('parley_memory_bytes\\{budget="rings"\\}') / mib),
      realms: value('parley_queue_realms'),
    };
    samples.push(sample);
    show(sample);
  }
}
