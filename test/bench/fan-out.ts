import { randomUUID } from 'node:crypto';

import { systemClock } from '@parley/kit';
import { Client, ID_STEP, type QueueRecord } from '@parley/protocol';
import { createRegistry } from '@parley/redis';

import type { BenchServers } from './bench-servers.ts';
import type { Crowd } from './crowd.ts';
import { senderTo } from './plan.ts';
import { RawConnection, getRequest, postRequest } from './poller.ts';
import { type Program, startProgram } from './processes.ts';

export interface FanOut {
  deliveriesPerSecond: number;
  cpuMicrosecondsPerDelivery: number;
}

/** One client: how it asks next, given the reply before. */
interface Poller {
  connection: RawConnection;
  next(body: Buffer | null): string;
}

const warmUps = 10;

/** Answers every parked poll `rounds` times; each client asks again at once. */
async function measure(
  program: Program,
  pollers: Poller[],
  rounds: number,
  fire: () => Promise<unknown>,
): Promise<FanOut> {
  let waiting = 0;
  let allHeard = () => undefined as void;
  const park = (poller: Poller, body: Buffer | null): void => {
    poller.connection.ask(poller.next(body), (reply) => {
      waiting -= 1;
      park(poller, reply);
      if (waiting === 0) allHeard();
    });
  };
  for (const poller of pollers) park(poller, null);

  const round = async () => {
    waiting = pollers.length;
    const heard = new Promise<void>((resolve) => {
      allHeard = resolve;
    });
    await fire();
    await heard;
  };
  for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await round();
  const [cpu, startMs] = [program.cpuSeconds(), performance.now()];
  for (let number = 0; number < rounds; number += 1) await round();
  const deliveries = rounds * pollers.length;
  return {
    deliveriesPerSecond: Math.round(deliveries / ((performance.now() - startMs) / 1000)),
    cpuMicrosecondsPerDelivery: Number((((program.cpuSeconds() - cpu) / deliveries) * 1e6).toFixed(1)),
  };
}

/** Registers a queue for each of the crowd, as POST /register leaves it. */
export async function registerQueues(
  { redis, signer, actor, sql }: BenchServers,
  users: Crowd['users'],
): Promise<QueueRecord[]> {
  const [head] = await sql<{ epoch: string; seq: number }[]>`
    select epoch::text as epoch, seq from realm_heads where realm_id = ${actor.realm.id}`;
  if (!head) throw new Error('The realm has no log.');
  const records = users.map(({ id }): QueueRecord => ({
    id: randomUUID(),
    realmId: actor.realm.id,
    realm: actor.realm.name,
    epoch: head.epoch,
    userId: id,
    eventTypes: null,
    client: Client.parse({ apply_markdown: true, client_gravatar: true }),
    mirror: '',
    narrow: [],
    allPublicStreams: false,
    registeredAt: head.seq,
    ephemeralAt: 0,
    idleSeconds: 600,
  }));
  const registry = createRegistry(redis, signer, systemClock);
  await Promise.all(records.map((record) => registry.add({ record, ttlSeconds: 600 }, records.length)));
  return records;
}

export function pollOf(
  servers: BenchServers,
  user: { id: number; email: string },
  { id, registeredAt }: QueueRecord,
) {
  const authorization = servers.authorizationOf(user);
  let cursor = registeredAt * ID_STEP;
  return (body: Buffer | null) => {
    // The id is the last number of the last event.
    const at = body ? body.lastIndexOf('"id":') : -1;
    if (body && at >= 0) cursor = Number.parseInt(body.toString('latin1', at + 5, at + 25), 10);
    return getRequest(`/api/v1/events?queue_id=${id}&last_event_id=${cursor}`, authorization);
  };
}

export async function fanOutOfNode(servers: BenchServers, crowd: Crowd, rounds: number) {
  await using program = await startProgram('services/queue/dist/main.js', servers.env);
  const { send } = await senderTo(servers, crowd.channel);
  // A channel's first message is two events; every one after it is one.
  await send('The first message.');
  const records = await registerQueues(servers, crowd.users);
  let replyBytes = 0;
  const pollers = await Promise.all(
    records.map(async (record, index): Promise<Poller> => {
      const user = crowd.users[index];
      if (!user) throw new Error('There are fewer people than queues.');
      const ask = pollOf(servers, user, record);
      const next = (body: Buffer | null) => {
        replyBytes = body?.length ?? replyBytes;
        return ask(body);
      };
      return { connection: await RawConnection.open(program.port), next };
    }),
  );
  const measured = await measure(program, pollers, rounds, () =>
    send('A message of a usual length, to everyone here.'),
  );
  for (const { connection } of pollers) connection.close();
  return { ...measured, replyBytes };
}

export async function fanOutOfFloor(
  servers: BenchServers,
  polls: number,
  rounds: number,
  replyBytes: number,
): Promise<FanOut> {
  await using program = await startProgram('test/dist/bench/floor-server.js', {});
  const trigger = await RawConnection.open(program.port);
  const body = 'x'.repeat(replyBytes);
  const authorization = servers.authorizationOf(servers.actor);
  const poll = getRequest(`/api/v1/events?queue_id=${randomUUID()}&last_event_id=1000000`, authorization);
  const pollers = await Promise.all(
    Array.from({ length: polls }, async (): Promise<Poller> => {
      return { connection: await RawConnection.open(program.port), next: () => poll };
    }),
  );
  const measured = await measure(program, pollers, rounds, () =>
    trigger.request(postRequest(`/fire?${polls}`, authorization, body)),
  );
  for (const { connection } of [...pollers, { connection: trigger }]) connection.close();
  return measured;
}
