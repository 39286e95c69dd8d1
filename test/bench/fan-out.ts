import { randomUUID } from 'node:crypto';

import { systemClock } from '@parley/kit';
import { Client, type QueueRecord, registeredId } from '@parley/protocol';
import { createRegistry } from '@parley/redis';

import type { BenchServers } from './bench-servers.ts';
import type { Crowd } from './crowd.ts';
import { nchanPaths, startNchan } from './nchan.ts';
import { median } from './numbers.ts';
import { senderTo } from './plan.ts';
import { RawConnection, getRequest, postRequest } from './poller.ts';
import { type Program, startProgram } from './processes.ts';

/** A server with its parked polls. */
export interface Contender extends AsyncDisposable {
  name: string;
  program: Program;
  pollers: Poller[];
  /** It loses polls that come while it answers others: so it is left alone after every round. */
  rests: boolean;
  /** Makes the server answer all polls. */
  fire(): Promise<unknown>;
}

export interface FanOut {
  deliveriesPerSecond: number;
  cpuMicrosecondsPerDelivery: number;
}

/** One client: how it asks next, given the reply before. */
interface Poller {
  connection: RawConnection;
  next(body: Buffer | null, head: Buffer | null): string;
}

const warmUps = 10;
const roundsAtOnce = 4;

/**
 * Every contender in turn answers all its polls, four times in a row, `rounds` times; each client asks again at once. The machine may be
 * busy with other things: so contenders take turns in every round, and the figures are medians.
 */
export async function fanOuts(contenders: readonly Contender[], rounds: number): Promise<FanOut[]> {
  const races = contenders.map((contender) => ({
    round: parkAll(contender),
    program: contender.program,
    rests: contender.rests,
    polls: contender.pollers.length,
    rates: [] as number[],
    costs: [] as number[],
  }));
  for (const { round, program } of races) {
    for (let warmUp = 0; warmUp < warmUps; warmUp += 1) {
      await settled(program);
      await round();
    }
    await settled(program);
  }
  for (let number = 0; number < rounds; number += 1) {
    for (const { round, program, rests, polls, rates, costs } of races) {
      const [cpu, startMs] = [program.cpuSeconds(), performance.now()];
      // One right after the other: polls that come back are a part of the work.
      for (let again = 0; again < roundsAtOnce; again += 1) {
        await round();
        if (rests) await settled(program);
      }
      const deliveries = roundsAtOnce * polls;
      rates.push(deliveries / ((performance.now() - startMs) / 1000));
      await settled(program);
      costs.push(((program.cpuSeconds() - cpu) / deliveries) * 1e6);
    }
  }
  return races.map(({ rates, costs }) => ({
    deliveriesPerSecond: Math.round(median(rates)),
    cpuMicrosecondsPerDelivery: Number(median(costs).toFixed(1)),
  }));
}

/** Resolves when the program has nothing left to do. */
async function settled(program: Program): Promise<void> {
  for (let before = program.cpuSeconds(); ;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = program.cpuSeconds();
    if (now - before < 0.001) return;
    before = now;
  }
}

/** Parks all polls. What it returns makes the server answer them, and resolves when every client has heard. */
function parkAll({ pollers, fire }: Pick<Contender, 'pollers' | 'fire'>): () => Promise<void> {
  let waiting = 0;
  let allHeard = () => undefined as void;
  const park = (poller: Poller, body: Buffer | null, head: Buffer | null): void => {
    poller.connection.ask(poller.next(body, head), (...reply) => {
      waiting -= 1;
      park(poller, ...reply);
      if (waiting === 0) allHeard();
    });
  };
  for (const poller of pollers) park(poller, null, null);
  return async () => {
    waiting = pollers.length;
    const heard = new Promise<void>((resolve) => {
      allHeard = resolve;
    });
    await fire();
    await heard;
  };
}

interface RegistryOfRealm extends Pick<BenchServers, 'redis' | 'signer' | 'sql'> {
  actor: { realm: { id: number; name: string } };
}

/** Registers a queue for each of the crowd, as POST /register leaves it, or left it when the log was shorter. */
export async function registerQueues(
  { redis, signer, actor, sql }: RegistryOfRealm,
  users: readonly { id: number }[],
  registeredAt?: number,
): Promise<QueueRecord[]> {
  const [head] = await sql<{ epoch: string; seq: number; term: string }[]>`
    select epoch::text as epoch, seq, term from realm_heads where realm_id = ${actor.realm.id}`;
  if (!head) throw new Error('The realm has no log.');
  const records = users.map(({ id }): QueueRecord => ({
    id: randomUUID(),
    realmId: actor.realm.id,
    realm: actor.realm.name,
    epoch: head.epoch,
    ...(registeredAt === undefined && { position: { seq: head.seq, term: head.term } }),
    userId: id,
    eventTypes: null,
    client: Client.parse({ apply_markdown: true, client_gravatar: true }),
    mirror: '',
    narrow: [],
    allPublicStreams: false,
    registeredAt: registeredAt ?? head.seq,
    ephemeralAt: 0,
    idForm: 'dense',
    registeredMs: systemClock.nowMs(),
    idleSeconds: 600,
  }));
  const registry = createRegistry(redis, signer, systemClock);
  await Promise.all(records.map((record) => registry.add({ record, ttlSeconds: 600 }, records.length)));
  return records;
}

export function pollOf(servers: BenchServers, user: { id: number; email: string }, record: QueueRecord) {
  const authorization = servers.authorizationOf(user);
  const { id } = record;
  let cursor = registeredId(record);
  return (body: Buffer | null) => {
    // The id is the last number of the last event.
    const at = body ? body.lastIndexOf('"id":') : -1;
    if (body && at >= 0) cursor = Number.parseInt(body.toString('latin1', at + 5, at + 25), 10);
    return getRequest(`/api/v1/events?queue_id=${id}&last_event_id=${cursor}`, authorization);
  };
}

export async function nodeContender(servers: BenchServers, crowd: Crowd): Promise<Contender> {
  const program = await startProgram('services/queue/dist/main.js', servers.env);
  const { send } = await senderTo(servers, crowd.channel);
  // A channel's first message is two events; every one after it is one.
  await send(text);
  const records = await registerQueues(servers, crowd.users);
  const pollers = await Promise.all(
    records.map(async (record, index): Promise<Poller> => {
      const user = crowd.users[index];
      if (!user) throw new Error('There are fewer people than queues.');
      return { connection: await RawConnection.open(program.port), next: pollOf(servers, user, record) };
    }),
  );
  return contender('parley', program, pollers, () => send(text));
}

const text = 'A message of a usual length, to everyone here.';

/** The body of a reply to such a poll. */
export async function exampleReply(servers: BenchServers, crowd: Crowd): Promise<Buffer> {
  const [user] = crowd.users;
  if (!user) throw new Error('There is nobody.');
  await using program = await startProgram('services/queue/dist/main.js', servers.env);
  const { send } = await senderTo(servers, crowd.channel);
  await send(text);
  const [record] = await registerQueues(servers, [user]);
  if (!record) throw new Error('There is no queue.');
  await send(text);
  const connection = await RawConnection.open(program.port);
  return await connection.request(pollOf(servers, user, record)(null));
}

export async function floorContender(servers: BenchServers, polls: number, body: Buffer): Promise<Contender> {
  const program = await startProgram('test/dist/bench/floor-server.js', {});
  const trigger = await RawConnection.open(program.port);
  const authorization = servers.authorizationOf(servers.actor);
  const poll = getRequest(`/api/v1/events?queue_id=${randomUUID()}&last_event_id=1000000`, authorization);
  const pollers = await openAll(program, polls, () => () => poll);
  const fire = postRequest(`/fire?${polls}`, authorization, body.toString('latin1'));
  return contender('bare node:http', program, pollers, () => trigger.request(fire), trigger);
}

const nchan = 'nginx with Nchan';

export async function nchanContender(
  servers: BenchServers,
  polls: number,
  body: Buffer,
  say: (line: string) => void,
): Promise<Contender> {
  const program = await startNchan(polls, say);
  const trigger = await RawConnection.open(program.port);
  const authorization = servers.authorizationOf(servers.actor);
  const pollers = await openAll(program, polls, () => {
    let cursor = '';
    return (_, head) => {
      if (head) cursor = messageIdOf(head.toString('latin1'));
      return getRequest(`${nchanPaths.poll}?queue_id=${randomUUID()}&last_event_id=${cursor}`, authorization);
    };
  });
  const fire = postRequest(nchanPaths.fire, authorization, body.toString('latin1'));
  return contender(nchan, program, pollers, () => trigger.request(fire), trigger);
}

/** A reply says its id in two headers: when it was sent, and its number in that second. */
function messageIdOf(head: string): string {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  return `${Date.parse(header('Last-Modified')) / 1000}:${header('Etag')}`;
}

const openAll = (program: Program, polls: number, client: () => Poller['next']) =>
  Promise.all(
    Array.from({ length: polls }, async (): Promise<Poller> => {
      return { connection: await RawConnection.open(program.port), next: client() };
    }),
  );

const contender = (
  name: string,
  program: Program,
  pollers: Poller[],
  fire: Contender['fire'],
  trigger?: RawConnection,
): Contender => ({
  name,
  program,
  pollers,
  rests: name === nchan,
  fire,
  async [Symbol.asyncDispose]() {
    for (const { connection } of pollers) connection.close();
    trigger?.close();
    await program[Symbol.asyncDispose]();
  },
});
