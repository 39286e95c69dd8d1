import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BenchServers } from './bench-servers.ts';
import { spentSoFar } from './costs.ts';
import { type Crowd, gatherCrowd } from './crowd.ts';
import type { Bench, Say } from './finding.ts';
import { median, percentile, two } from './numbers.ts';
import { RawConnection, getRequest, postRequest } from './poller.ts';
import { type Program, startProgram } from './processes.ts';
import { capabilities, registerUntilServed } from './register-storm.ts';

const people = 100_000;
const stormClients = 200;
const repeats = 3;
/** How many times the processor time of the rows the first registration at a node may take. */
const floorRatioMax = 4;
/** No request may hold the event loop longer, nor may what is ready of many in one turn: processor time, in milliseconds. */
const stallMsMax = 50;

/** A node that is asked while its event loop is watched. */
interface Watched {
  program: Program;
  /** The longest time for which the loop was held since this was asked last: processor time, in milliseconds. */
  readonly longestStall: () => Promise<number>;
}

interface LargeCost {
  name: string;
  ms: number;
  /** Processor time of the node and of Postgres. */
  spentMs: number;
  stallMs: number;
  mib: number;
}

/** What a realm of a hundred thousand people costs whoever asks for all of them, and everybody else. */
export const large: Bench = async (servers, say) => {
  say(`gathering ${people} people …`);
  const crowd = await gatherCrowd(servers, people);
  await servers.sql`vacuum analyze`;
  const floorMs = await floorOfRows(servers);
  const costs = await costsOfRequests(servers, crowd, say);
  const storm = await stormBesideSends(servers, crowd, say);
  const first = costs.find(({ name }) => name === firstName);
  const ratio = two((first?.spentMs ?? 0) / floorMs);
  const stallMs = Math.max(...costs.map((cost) => cost.stallMs));
  return {
    figures: { people, floor_ms: floorMs, first_ratio: ratio, stall_ms: stallMs, requests: costs, storm },
    claim: {
      holds: ratio < floorRatioMax && stallMs < stallMsMax && storm.stallMs < stallMsMax,
      result: `the first registration among 100 000 people takes ${ratio} × the processor time of their rows, no request holds the event loop for more than ${stallMs} ms, and ${stormClients} at once for no more than ${storm.stallMs}`,
    },
    rows: [
      [`${people} people; their rows by one statement, ms of processor time`, floorMs],
      ['one request', 'ms  of processor time  longest hold of the event loop  MiB'],
      ...costs.map(({ name, ms, spentMs, stallMs: heldMs, mib }): [string, string] => [
        `  ${name}`,
        `${ms}  ${spentMs}  ${heldMs}  ${mib}`,
      ]),
      ['  the first against the rows', ratio],
      [`${stormClients} register at once: all served, s`, storm.seconds],
      ['  processor time of each: node  Postgres, ms', `${storm.apiMsEach}  ${storm.postgresMsEach}`],
      ['  longest hold of the event loop, ms', storm.stallMs],
      ['  memory of the node before and at most, MiB', `${storm.idleMib}  ${storm.peakMib}`],
      [
        '  a send meanwhile, p50  p99, ms  refused',
        `${storm.sends.p50}  ${storm.sends.p99}  ${storm.sends.refused}`,
      ],
      ['  a send in calm, p50  p99, ms', `${storm.calm.p50}  ${storm.calm.p99}`],
    ],
    picture: [],
  };
};

const firstName = 'POST /register, first at a node';

/**
 * The floor: what is shown of everybody, by one statement, in processor time of Postgres and of a client that only
 * receives it.
 */
async function floorOfRows(servers: BenchServers): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat <= repeats; repeat += 1) {
    const [before, own] = [await spentSoFar(servers), process.cpuUsage()];
    await servers.sql`
      select id, email, full_name, role, is_active, bot_type, bot_owner_id, email_visibility, timezone, avatar_version,
        is_system, avatar_path, joined_at
      from users where realm_id = ${servers.actor.realm.id} order by id`;
    const { user, system } = process.cpuUsage(own);
    times.push(((await spentSoFar(servers)).postgres - before.postgres) * 1000 + (user + system) / 1000);
  }
  return two(median(times));
}

async function watching<Result>(servers: BenchServers, run: (watched: Watched) => Promise<Result>) {
  const file = join(tmpdir(), `parley-loop-${randomUUID()}`);
  await writeFile(file, '');
  try {
    await using program = await startProgram('services/api/dist/main.js', {
      ...servers.env,
      LOOP_PROBE: file,
      NODE_OPTIONS: `--import=${new URL('loop-probe.js', import.meta.url).href}`,
    });
    let told = 0;
    const longestStall = async () => {
      // What has just ended is written by the next turn of the loop.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
      const stalls = lines.slice(told).map((line) => Number(line.split(' ')[1]));
      told = lines.length;
      return two(Math.max(0, ...stalls));
    };
    return await run({ program, longestStall });
  } finally {
    await rm(file, { force: true });
  }
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

const registration = (authorization: string, encoding: string, more: Record<string, string> = {}) =>
  postRequest(
    '/api/v1/register',
    authorization,
    form({ client_capabilities: JSON.stringify(capabilities), ...more }),
  ).replace('\r\n', `\r\nAccept-Encoding: ${encoding}\r\n`);

async function costsOfRequests(servers: BenchServers, { users }: Crowd, say: Say): Promise<LargeCost[]> {
  const [someone, another] = users;
  if (!someone || !another) throw new Error('A crowd needs people.');
  const [mine, others] = [someone, another].map((user) => servers.authorizationOf(user)) as [string, string];
  const setting = postRequest('/api/v1/settings', others, form({ timezone: 'Europe/Paris' })).replace(
    'POST',
    'PATCH',
  );
  const requests: [string, string][] = [
    [
      'warming up',
      postRequest('/api/v1/users/me/presence', mine, form({ status: 'active', ping_only: 'true' })),
    ],
    [firstName, registration(mine, 'identity')],
    ['POST /register, again', registration(others, 'identity')],
    ['POST /register, the first with gzip', registration(mine, 'gzip')],
    ['POST /register, again with gzip', registration(others, 'gzip')],
    ['somebody changes', setting],
    ['POST /register, after a change', registration(mine, 'gzip')],
    ['POST /register, all subscribers', registration(mine, 'gzip', { include_subscribers: 'true' })],
    ['POST /register, some subscribers', registration(mine, 'gzip', { include_subscribers: 'partial' })],
    ['GET /users', getRequest('/api/v1/users', mine)],
    ['GET /users with profiles', getRequest('/api/v1/users?include_custom_profile_fields=true', others)],
    ['GET /user_groups', getRequest('/api/v1/user_groups', mine)],
    [
      'GET subscriptions with subscribers',
      getRequest('/api/v1/users/me/subscriptions?include_subscribers=true', mine),
    ],
    ['GET members of a channel', getRequest(`/api/v1/streams/${await channelOf(servers)}/members`, mine)],
  ];
  return await watching(servers, async ({ program, longestStall }) => {
    const costs: LargeCost[] = [];
    for (const [name, request] of requests) {
      say(`${name} …`);
      await longestStall();
      const before = await spentSoFar(servers, program);
      const startMs = performance.now();
      const { bytes } = await registerUntilServed(program.port, request);
      const ms = two(performance.now() - startMs);
      const after = await spentSoFar(servers, program);
      const spentMs = two((after.api - before.api + after.postgres - before.postgres) * 1000);
      const cost = { name, ms, spentMs, stallMs: await longestStall(), mib: two(bytes / 2 ** 20) };
      costs.push(cost);
      say(`  ${ms} ms, ${spentMs} of processor time, ${cost.stallMs} at one go, ${cost.mib} MiB`);
    }
    return costs.filter(({ name }) => name !== 'warming up' && name !== 'somebody changes');
  });
}

async function channelOf({ sql, actor }: BenchServers): Promise<number> {
  const [channel] = await sql<{ id: number }[]>`
    select id from channels where realm_id = ${actor.realm.id} and name = ${`crowd of ${people}`}`;
  return channel?.id ?? 0;
}

/** Many register at once at a node that has just started, while somebody sends. */
async function stormBesideSends(servers: BenchServers, { users, channel }: Crowd, say: Say) {
  const message = postRequest(
    '/api/v1/messages',
    servers.authorizationOf(servers.actor),
    form({ type: 'channel', to: channel, topic: 'storm', content: 'Is anybody there?' }),
  );
  return await watching(servers, async ({ program, longestStall }) => {
    const connection = await RawConnection.open(program.port);
    const sendUntil = async (ended: () => boolean) => {
      const times: number[] = [];
      let refused = 0;
      while (!ended()) {
        const startMs = performance.now();
        const body = await connection.request(message);
        // Whoever is told to come again has waited, too.
        if (!body.toString('latin1').startsWith('{"result":"success"')) refused += 1;
        times.push(performance.now() - startMs);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return { p50: two(percentile(times, 0.5)), p99: two(percentile(times, 0.99)), refused };
    };
    say('sends in calm …');
    const calmUntilMs = performance.now() + 5000;
    const calm = await sendUntil(() => performance.now() > calmUntilMs);
    await longestStall();
    const idleMib = program.memoryMib('VmRSS');
    const before = await spentSoFar(servers, program);
    say(`${stormClients} people register at once …`);
    const startMs = performance.now();
    let isOver = false;
    const sending = sendUntil(() => isOver);
    await Promise.all(
      users.slice(0, stormClients).map(async (user) => {
        await registerUntilServed(program.port, registration(servers.authorizationOf(user), 'gzip'));
      }),
    );
    const seconds = two((performance.now() - startMs) / 1000);
    isOver = true;
    const sends = await sending;
    const after = await spentSoFar(servers, program);
    connection.close();
    return {
      clients: stormClients,
      seconds,
      apiMsEach: two(((after.api - before.api) * 1000) / stormClients),
      postgresMsEach: two(((after.postgres - before.postgres) * 1000) / stormClients),
      stallMs: await longestStall(),
      idleMib,
      peakMib: program.memoryMib('VmHWM'),
      calm,
      sends,
    };
  });
}
