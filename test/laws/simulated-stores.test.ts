import * as actions from '@parley/actions';
import { createLogger } from '@parley/kit';
import {
  type Publisher,
  type Sql,
  appendRoom,
  createFence,
  createSender,
  readHeads,
  readLog,
  readTerm,
  tailStart,
} from '@parley/log';
import type { PendingEvent } from '@parley/protocol';
import { type Redis, createEphemeralCarrier, createRegistry, createSigner, keys } from '@parley/redis';
import { expect, test } from 'vitest';

import { Network } from '../simulate/network.ts';
import { DatabaseState } from '../simulate/postgres/state.ts';
import { findStatement } from '../simulate/postgres/statements.ts';
import { type Argument, commands } from '../simulate/redis/commands.ts';
import { RedisServer } from '../simulate/redis/server.ts';
import { World } from '../simulate/world.ts';
import { type Person, getWorld, realm } from '../support/index.ts';

/** By the clock of this process, which began with it. */
const laterThanAll = 1e12;

/** A stand-in for Postgres that has a realm's log, of which all entries are trimmed, as Postgres has it. */
async function standInFor(sql: Sql, realmId: number): Promise<Sql> {
  await sql`delete from event_log where realm_id = ${realmId}`;
  const [head] = await sql<{ seq: number; term: string; epoch: string; rules: number; messageId: number }[]>`
    select seq, term, epoch::text as epoch, rules_version_of(h) as rules, message_id as "messageId"
    from realm_heads h where realm_id = ${realmId}`;
  if (!head) throw new Error('There is no such realm.');
  const state = new DatabaseState();
  const world = new World(1);
  const { seq, epoch, messageId } = head;
  const startedUs = Number.parseInt(head.term.slice(8), 16);
  const term = epoch.slice(0, 8) + startedUs.toString(16);
  const rest = { formerEpochs: [], rulesVersion: head.rules, epochBeganMs: null };
  state.heads.set(realmId, { realmId, seq, term, epoch, messageId, ...rest });
  state.logs.set(realmId, Array.from({ length: seq }));
  state.trimmed.set(realmId, seq);
  const conversations = await sql<{ id: number }[]>`select conversation_id as id from conversation_heads`;
  for (const { id } of conversations) state.conversations.set(id, { ordinal: 0, audienceId: 1 });
  const carry = (strings: TemplateStringsArray, ...parameters: unknown[]) => {
    const run = { state, startedUs, nowMs: Date.now(), randomUuid: () => world.uuid(), asker: world.outside };
    return Promise.resolve(findStatement(strings)(run, parameters));
  };
  // Safe: the delivery path gives it nothing but statements.
  return carry as unknown as Sql;
}

async function draftOf(from: Person, to: Person): Promise<PendingEvent> {
  const { engine } = await getWorld();
  const recipient = actions.messages.parseRecipient({ type: 'direct', users: [to.id] });
  const plan = await actions.messages.planSend(engine.db, from.realm.id, async () => from.actor, recipient);
  const said = { content: 'x', client: 'x', readBySender: true, echo: null };
  const pending = actions.messages.plainMessage(await actions.messages.prepare(plan, said));
  if (!pending) throw new Error('The message is not a plain one.');
  return pending;
}

/** What a store says, without what differs between two of them: epochs, which are told apart by their order, and times. */
function comparable(said: unknown, epochs = new Map<string, number>()): unknown {
  if (typeof said === 'string' && said.startsWith('{"seq"')) return comparable(JSON.parse(said), epochs);
  if (Array.isArray(said)) return said.map((one) => comparable(one, epochs));
  if (said === null || typeof said !== 'object') return said;
  return Object.fromEntries(
    Object.entries(said).map(([name, value]: [string, unknown]) => {
      if (name === 'timestamp') return [name, 0];
      if (!/^(?:term|previousTerm|epoch)$/.test(name)) return [name, comparable(value, epochs)];
      const epoch = String(value).slice(0, 8);
      if (!epochs.has(epoch)) epochs.set(epoch, epochs.size);
      return [name, epochs.get(epoch)];
    }),
  );
}

/** Does to a log what nodes do, and says what they were answered. */
async function useLog(sql: Sql, realmId: number, draft: PendingEvent): Promise<unknown[]> {
  const said: unknown[] = [];
  const published: number[][] = [];
  const publisher: Publisher = {
    publish: (_, appended) =>
      void published.push(appended.map((answer) => ('seq' in answer ? (answer.seq ?? 0) : 0))),
  };
  const sender = createSender({ sql, publisher });
  const echo = (localId: string) => ({ queueId: 'q"\\', localId });
  const saying = (localId: string, more: object = {}): PendingEvent => ({
    ...draft,
    ...more,
    message: { ...(draft.message as NonNullable<PendingEvent['message']>), echo: echo(localId) },
  });
  const send = async (message: PendingEvent) => said.push(await sender.append(realmId, message));
  const read = async () => {
    const [head] = await readHeads(sql, [realmId]);
    const seq = head?.seq ?? 0;
    said.push(head, await readLog(sql, realmId, seq - 3, { entries: 2, bytes: 100_000 }));
    said.push(await readLog(sql, realmId, seq - 3, { entries: 9, bytes: 10 }));
    said.push(await tailStart(sql, realmId, seq, { entries: 4, bytes: 100_000 }));
    for (const at of [seq - 8, seq - 1, seq, seq + 1]) said.push(await readTerm(sql, realmId, at));
  };
  const claim = async (more: object) => {
    const [{ epoch, ...head } = { epoch: '', seq: 0, term: '' }] = await readHeads(sql, [realmId]);
    await using fence = createFence({ sql, logger: createLogger({ role: 'test', level: 'silent' }) });
    fence.claim({ realmId, epoch: epoch.slice(0, 8), seq: head.seq, term: head.term, ...more });
    await fence.settled();
    const [after] = await readHeads(sql, [realmId]);
    said.push(after?.epoch === epoch ? 'the same epoch' : 'another epoch');
    return { epoch: epoch.slice(0, 8), ...head };
  };
  await send(saying('1'));
  await send(saying('1'));
  await send(saying('2', { rulesVersion: 1_000_000 }));
  said.push(await appendRoom(sql, realmId));
  await Promise.all(['3', '4', '5'].map((localId) => send(saying(localId))));
  await read();
  const former = await claim({});
  await claim({ seq: former.seq - 1 });
  await claim({ seq: former.seq - 1, term: 'another' });
  await claim({ ...former, seq: former.seq + 9 });
  await claim({ ...former, seq: former.seq + 9, acknowledgedMs: laterThanAll });
  await claim({ epoch: 'unknown8' });
  await send(saying('6'));
  await read();
  said.push(published);
  return said;
}

test('the simulated Postgres answers as Postgres does', async () => {
  const { sql } = await getWorld();
  const { alice, bob } = await realm();
  const draft = await draftOf(alice, bob);
  const standIn = await standInFor(sql, alice.realm.id);
  const real = await useLog(sql, alice.realm.id, draft);
  const simulated = await useLog(standIn, alice.realm.id, draft);
  expect(comparable(simulated)).toEqual(comparable(real));
});

/** A stand-in for a client of Redis, without a network. */
function standInForRedis(): Redis {
  const server = new RedisServer(new Network(new World(1)));
  const called = Object.keys(commands).map((name) => [
    name,
    (...args: Argument[]) => Promise.resolve(commands[name]?.(server, args, Date.now())),
  ]);
  const named = Object.fromEntries(called) as object;
  // Safe: it has the commands that the delivery path gives.
  return {
    status: 'ready',
    defineCommand: () => undefined,
    ...named,
  } as unknown as Redis;
}

/** Gives Redis the commands of the delivery path, and says what it answered. */
async function useRedis(redis: Redis, at: string): Promise<unknown[]> {
  const key = (name: string) => `conformance:{${at}}:${name}`;
  const said: unknown[] = [
    await redis.set(key('text'), 'one', 'EX', 60, 'NX'),
    await redis.set(key('text'), 'two', 'EX', 60, 'NX'),
    await redis.set(key('text'), 'three', 'EX', 60, 'GET'),
    await redis.get(key('text')),
    await redis.exists(key('text')),
    await redis.expire(key('text'), 30),
    await redis.expire(key('none'), 30),
    await redis.del(key('text'), key('none')),
    await redis.get(key('text')),
    await redis.zadd(key('sorted'), 1, 'a'),
    await redis.zadd(key('sorted'), 2, 'a'),
    await redis.zrem(key('sorted'), 'a'),
    await redis.zrem(key('sorted'), 'a'),
    await redis.hsetnx(key('hash'), 'a', 1),
    await redis.hsetnx(key('hash'), 'a', 2),
    await redis.hmget(key('hash'), 'a', 'b'),
    await redis.hgetall(key('hash')),
  ];
  for (const value of ['1', '2', '3']) await redis.xadd(key('stream'), 'MINID', '~', 0, '*', 'v', value);
  const found = await redis.xrevrange(key('stream'), '+', '-', 'COUNT', 2);
  const oldest = found.at(-1)?.[0] ?? '';
  const before = await redis.xrevrange(key('stream'), `(${oldest}`, '-', 'COUNT', 2);
  said.push(
    found.map(([, fields]) => fields),
    before.map(([, fields]) => fields),
  );
  said.push(
    await redis.xlen(key('stream')),
    await redis.xtrim(key('stream'), 'MAXLEN', 1),
    await redis.xlen(key('stream')),
  );
  return said;
}

/** Carries ephemeral events of a realm, and says what became of each, and how far their numbers are apart. */
async function useCarrier(redis: Redis, realmId: number, secret: string): Promise<unknown[]> {
  const carrier = createEphemeralCarrier(redis, 1, createSigner([secret]));
  const sender = { user_id: 1, email: 'a@example.com' };
  const typing = { type: 'typing', op: 'start', message_type: 'direct', sender, recipients: [] };
  const said: unknown[] = [];
  for (const [after, epoch] of [
    [5, 'a'],
    [5, 'a'],
    [4, 'a'],
    [6, 'a'],
    [6, 'a'],
    [6, 'a'],
    [6, 'a'],
    [6, 'a'],
    [2, 'b'],
  ] as const) {
    const event = { realmId, after, users: [1], event: typing };
    said.push(await carrier.publish(event, { ageMs: 0, epoch }), (await carrier.newest(realmId)) % 8);
  }
  return said;
}

/** Saves queues of a user, and says how many may be. */
async function useRegistry(redis: Redis, userId: number): Promise<unknown[]> {
  const clock = { nowMs: () => 1_700_000_000_000 };
  const registry = createRegistry(redis, createSigner(['a secret']), clock);
  const said: unknown[] = [];
  for (const id of ['one', 'two', 'three']) {
    const record = { id: `${id}-${userId}`, userId, idForm: 'dense' } as Parameters<
      typeof registry.add
    >[0]['record'];
    const refusal = await registry
      .add({ record, ttlSeconds: 60 }, 2)
      .catch((error: unknown) => String(error));
    said.push(refusal ?? 'saved');
    for (const [term, knownTerm] of [
      ['a', ''],
      ['b', 'a'],
      ['c', 'a'],
      ['b', ''],
    ] as const) {
      const renewed = { record: { ...record, position: { seq: 1, term } }, ttlSeconds: 60, isHolder: true };
      await registry.renew([{ ...renewed, isVouchedFor: true, knownTerm }], 'node');
      said.push(await redis.get(keys.queue(record.id)));
    }
  }
  return said;
}

test('the simulated Redis answers as Redis does', async () => {
  const { redis, secret } = await getWorld();
  const standIn = standInForRedis();
  const { alice } = await realm();
  const at = String(alice.id);
  expect(await useRedis(standIn, at)).toEqual(await useRedis(redis, at));
  expect(await useCarrier(standIn, alice.realm.id, secret)).toEqual(
    await useCarrier(redis, alice.realm.id, secret),
  );
  expect(await useRegistry(standIn, alice.id)).toEqual(await useRegistry(redis, alice.id));
});
