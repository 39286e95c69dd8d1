import type { BenchServers } from './bench-servers.ts';
import type { Crowd } from './crowd.ts';
import { senderTo } from './plan.ts';
import { RawConnection, postRequest } from './poller.ts';
import { startProgram } from './processes.ts';

const content = 'A message of a usual length, to everyone here.';

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
export async function appendsPerSecond(
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
export async function requestsPerSecond(
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
