import type { BenchServers } from './bench-servers.ts';
import { type Crowd, gatherCrowd } from './crowd.ts';
import type { Bench } from './finding.ts';
import { median, two } from './numbers.ts';
import { senderTo } from './plan.ts';
import { RawConnection, postRequest } from './poller.ts';
import { startProgram } from './processes.ts';

const content = 'A message of a usual length, to everyone here.';
const sendTotal = 20_000;
const sendWorkers = 128;
const repeats = 3;
/** Appends share their rows' commits, so fewer than half as many as inserts means that something is wrong. */
const appendRatioMin = 0.5;

/** Runs `task` by `workers` at once until `total` are done; per second. */
export async function rate(
  total: number,
  workers: number,
  task: (worker: number) => Promise<unknown>,
): Promise<number> {
  let left = total;
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (left-- > 0) await task(worker);
    }),
  );
  return Math.round(total / ((performance.now() - startMs) / 1000));
}

/** The floor: one row, one statement, one commit, on the same connections as the log's. */
export async function insertsPerSecond(
  { sql }: BenchServers,
  total: number,
  workers: number,
): Promise<number> {
  await sql`create table if not exists bench_inserts (id bigint generated always as identity primary key, body text)`;
  const insert = () => sql`insert into bench_inserts (body) values (${content})`;
  await rate(total, workers, insert);
  return await rate(total, workers, insert);
}

/** Messages into the log, without HTTP. */
async function appendsPerSecond(
  servers: BenchServers,
  crowd: Crowd,
  total: number,
  workers: number,
): Promise<number> {
  const { send } = await senderTo(servers, crowd.channel);
  await rate(total, workers, () => send(content));
  return await rate(total, workers, () => send(content));
}

/** POST /messages to one api node. */
async function requestsPerSecond(
  servers: BenchServers,
  crowd: Crowd,
  total: number,
  workers: number,
): Promise<number> {
  await using program = await startProgram('services/api/dist/main.js', servers.env);
  const form = new URLSearchParams({
    type: 'channel',
    to: crowd.channel,
    topic: 'bench',
    content,
  }).toString();
  const request = postRequest('/api/v1/messages', servers.authorizationOf(servers.actor), form);
  const connections = await Promise.all(
    Array.from({ length: workers }, () => RawConnection.open(program.port)),
  );
  const send = async (worker: number) => {
    const body = await connections[worker]?.request(request);
    if (!body?.toString('latin1').startsWith('{"result":"success"'))
      throw new Error(`A send failed: ${body?.toString()}`);
  };
  await rate(total, workers, send);
  const measured = await rate(total, workers, send);
  for (const connection of connections) connection.close();
  return measured;
}

/** How many messages a second are sent, and how many rows could be inserted. */
export const sends: Bench = async (servers, say) => {
  const crowd = await gatherCrowd(servers, 100);
  const counts = { inserts: [], appends: [], requests: [] } as Record<
    'inserts' | 'appends' | 'requests',
    number[]
  >;
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    say(`sending with ${sendWorkers} at once, ${repeat} of ${repeats} …`);
    counts.inserts.push(await insertsPerSecond(servers, sendTotal, sendWorkers));
    counts.appends.push(await appendsPerSecond(servers, crowd, sendTotal, sendWorkers));
    counts.requests.push(await requestsPerSecond(servers, crowd, sendTotal, sendWorkers));
  }
  const [inserts, appends, requests] = [
    median(counts.inserts),
    median(counts.appends),
    median(counts.requests),
  ];
  const figures = {
    at_once: sendWorkers,
    inserts_per_second: inserts,
    appends_per_second: appends,
    requests_per_second: requests,
    append_ratio: two(appends / inserts),
    request_ratio: two(requests / inserts),
  };
  return {
    figures,
    claim: {
      holds: figures.append_ratio > appendRatioMin,
      result: `${figures.append_ratio} × the rate of single-row inserts`,
    },
    rows: [
      ['messages into the log/s', appends],
      ['  single-row inserts/s, same Postgres', inserts],
      ['  ratio (1 = the floor; more is better)', figures.append_ratio],
      ['POST /messages/s, one api node', requests],
      ['  ratio to the inserts', figures.request_ratio],
    ],
    picture: [
      ['sends: into the log', appends],
      ['sends: POST /messages', requests],
      ['sends: floor', inserts],
    ],
  };
};
