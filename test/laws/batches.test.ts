import * as actions from '@parley/actions';
import { connectSql } from '@parley/db';
import { createSender } from '@parley/log';
import type { PendingEvent } from '@parley/protocol';
import { traced } from '@parley/telemetry';
import { expect, test, vi } from 'vitest';

import {
  type Person,
  getWorld,
  headOf,
  interrupt,
  realm,
  say,
  scrape,
  startPostgresProxy,
  subscribe,
} from '../support/index.ts';
import { sendTraces, startTraceCollector } from '../support/trace-collector.ts';

type Recipient = Parameters<typeof actions.messages.planSend>[3];

/** To a channel that one has to oneself. */
const toOwnChannel = (): Recipient =>
  actions.messages.parseRecipient({ type: 'channel', channel: 'mine', topic: 't' });
const toOneself = ({ id }: Person): Recipient =>
  actions.messages.parseRecipient({ type: 'direct', users: [id] });

/** A message that many characters long. */
async function messageOf(from: Person, length = 1, recipient = toOwnChannel()) {
  const { engine } = await getWorld();
  const plan = await actions.messages.planSend(engine.db, from.realm.id, async () => from.actor, recipient);
  const text = { content: 'x', client: 'test', readBySender: true, echo: null };
  const pending = actions.messages.plainMessage(await actions.messages.prepare(plan, text));
  if (!pending?.message) throw new Error('The message is not a plain one.');
  const { message, ...rest } = pending;
  const half = 'x'.repeat(Math.ceil(length / 2));
  return { ...rest, message: { ...message, content: half, renderedContent: half } };
}

/** A message that is given up when it is its turn: it costs Postgres nothing. */
const stale = (pending: PendingEvent): PendingEvent => ({ ...pending, rulesVersion: -1 });

async function open(sql?: Awaited<ReturnType<typeof getWorld>>['sql']) {
  const people = await realm();
  await subscribe(people.alice, 'mine');
  await say(people.alice, 'mine', 't');
  const world = await getWorld();
  /** How many messages each append had. */
  const batches: number[] = [];
  /** The trace of each message that was written. */
  const traces: (string | undefined)[] = [];
  /** What happens when the next append is published. */
  const next = { onPublished: () => {} };
  const sender = createSender({
    sql: sql ?? world.sql,
    publisher: {
      publish(_, appended) {
        batches.push(appended.length);
        for (const answer of appended) if (answer.outcome === 'written') traces.push(answer.trace);
        next.onPublished();
        next.onPublished = () => {};
      },
    },
  });
  const { id } = people.realm;
  return {
    ...people,
    world,
    batches,
    traces,
    next,
    send: (pending: PendingEvent, count = 1) =>
      Array.from({ length: count }, () => sender.append(id, pending)),
    /** The result of each: what was refused, by its code and reason. */
    settle: async (sending: readonly Promise<unknown>[]) =>
      (await Promise.allSettled(sending)).map((result) =>
        result.status === 'fulfilled' ? 'sent' : [result.reason.code, result.reason.reason].join(' '),
      ),
  };
}

/** Has Postgres refuse messages that are to be written, with this code and in the name of this constraint. */
async function refuseMessages(how: { number?: number; times?: number; code: string; constraint?: string }) {
  const { sql } = await getWorld();
  return await interrupt(sql, { table: 'messages', change: 'insert', ...how });
}

const sizes = (batches: readonly number[]) => [...batches].sort((a, b) => a - b);
const countOf = (results: readonly string[], result: string) =>
  results.filter((each) => each === result).length;

test('messages that come together share appends, of which two are under way and each has 64 at most', async () => {
  const { alice, batches, send, settle } = await open();
  const names = ['parley_log_append_messages_sum', 'parley_log_append_seconds_count'];
  const sized = 'parley_log_append_messages_bucket';
  const bounds = ['1', '2', '4', '8', '16', '32', '64', '+Inf'];
  const before = await scrape();
  const head = await headOf(alice.realm.id);
  expect(countOf(await settle(send(await messageOf(alice), 200)), 'sent')).toBe(200);
  expect(sizes(batches)).toEqual([1, 32, 39, 64, 64]);
  expect((await headOf(alice.realm.id)) - head).toBe(200);
  const after = await scrape();
  expect(names.map((name) => after.of(name) - before.of(name))).toEqual([200, 5]);
  expect(after.valuesOf(sized, 'le')).toEqual(bounds);
  expect(bounds.map((le) => after.of(sized, { le }) - before.of(sized, { le }))).toEqual([
    1, 1, 1, 1, 1, 2, 5, 5,
  ]);
});

test.each([
  ['to a channel', toOwnChannel],
  ['to somebody', toOneself],
])('a few messages %s that wait for the append under way share the next one', async (_, recipientOf) => {
  const { alice, batches, send, settle } = await open();
  const message = await messageOf(alice, 1, recipientOf(alice));
  await settle(send(message, 32));
  expect(batches).toEqual([1, 31]);
  await settle(send(message, 1));
  expect(batches).toEqual([1, 31, 1]);
});

test('messages that nothing follows from share no append with others', async () => {
  const { alice, batches, send, settle } = await open();
  const plain = await messageOf(alice);
  const other = { ...plain, message: { ...plain.message, mentionsChannel: false } };
  await settle([...send(plain, 3), ...send(other, 2), ...send(plain)]);
  expect(batches).toEqual([1, 2, 2, 1]);
});

test('a message that repeats one of its append waits for the next one', async () => {
  const { alice, bob, batches, send, settle } = await open();
  const echoing = async (from: Person, queueId: string, localId: string) => {
    const { message, ...rest } = await messageOf(from, 1, toOneself(from));
    return { ...rest, message: { ...message, echo: { queueId, localId } } };
  };
  const first = await echoing(alice, 'queue', '1');
  const others = [
    await echoing(alice, 'queue', '2'),
    await echoing(alice, 'other', '1'),
    await echoing(bob, 'queue', '1'),
    await messageOf(alice),
    await messageOf(alice),
  ];
  const before = (await scrape()).of('parley_log_divided_appends_total');
  const results = await settle([await messageOf(alice), first, ...others, first].flatMap((one) => send(one)));
  expect(countOf(results, 'sent')).toBe(8);
  expect(batches).toEqual([1, 6, 1]);
  expect((await scrape()).of('parley_log_divided_appends_total')).toBe(before);
});

test('while one of two appends is still under way, messages gather as they did', async () => {
  const { alice, world, batches, next, send, settle } = await open();
  const message = await messageOf(alice);
  const elsewhere = await messageOf(alice, 1, toOneself(alice));
  const sending: Promise<unknown>[] = [];
  await world.sql.begin(async (tx) => {
    // The second append begins beside the first one, waits for this row, and ends after this transaction.
    await tx`select from conversation_heads where conversation_id = ${message.message.conversationId} for update`;
    next.onPublished = () => void sending.push(...send(message, 32));
    expect(await settle(send(elsewhere))).toEqual(['sent']);
    sending.push(...send(elsewhere, 2));
  });
  expect(countOf(await settle(sending), 'sent')).toBe(34);
  expect(batches).toEqual([1, 32, 2]);
});

test('an entry is published with the trace in which its message was sent', async () => {
  await using collector = await startTraceCollector();
  const { alice, batches, traces, send, settle } = await open();
  const message = await messageOf(alice);
  await using _ = await sendTraces(collector);
  const inTrace = (name: string, pending: PendingEvent) =>
    traced(name, async () => await settle(send(pending)));
  await Promise.all([
    ...send(message),
    inTrace('one', message),
    inTrace('stale', stale(message)),
    ...send(message),
    inTrace('another', message),
  ]);
  expect(batches).toEqual([1, 4]);
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  await vi.waitFor(() => expect(named('log append')).toHaveLength(5), { timeout: 60_000 });
  const idOf = async (name: string) => await vi.waitUntil(() => named(name)[0]?.traceId, { timeout: 60_000 });
  const ids = traces.map((trace) => trace?.split('-')[1]);
  expect([ids[1], ids[3]]).toEqual([await idOf('one'), await idOf('another')]);
  expect(new Set(ids).size).toBe(4);
});

test('an append has two megabytes of text at most, but one message always', async () => {
  const { alice, batches, send, settle } = await open();
  const mebibyte = await messageOf(alice, 1024 * 1024);
  const long = await messageOf(alice, 3 * 1024 * 1024);
  const sending = [...send(mebibyte, 4), ...send(long), ...send(mebibyte)];
  expect(await settle(sending)).toEqual(Array.from({ length: 6 }, () => 'sent'));
  expect(batches).toEqual([1, 2, 1, 1, 1]);
});

test.each([
  ['5000 of them', 1, 1 + 32 + 5000],
  // One is under way, and two that were taken when 32 waited.
  ['32 MiB of them', 1024 * 1024, 1 + 2 + 32],
])('messages wait for their realm alone, until %s do', async (_, length, count) => {
  const { alice, world, batches, send, settle } = await open();
  const message = stale(await messageOf(alice, length));
  const elsewhere = await open();
  let sending: Promise<unknown>[] = [];
  await world.sql.begin(async (tx) => {
    await tx`select from realm_heads where realm_id = ${alice.realm.id} for update`;
    sending = send(message, count);
    expect(await settle(send(message))).toEqual(['SERVER_NOT_READY appends']);
    const other = elsewhere.send(await messageOf(elsewhere.alice));
    expect(await elsewhere.settle(other)).toEqual(['sent']);
  });
  expect(countOf(await settle(sending), 'sent')).toBe(count);
  expect(sizes(batches).reduce((sum, size) => sum + size, 0)).toBe(count);
  expect(await settle(send(message)), 'there is room again').toEqual(['sent']);
});

test('an append with a message that cannot be written is divided, and counted', async () => {
  const { alice, batches, send, settle } = await open();
  const message = await messageOf(alice);
  const nowhere = { ...message, message: { ...message.message, conversationId: 2 ** 40 } };
  const before = (await scrape()).of('parley_log_divided_appends_total');
  const results = await settle([
    ...send(message, 3),
    ...send({ ...nowhere, conversations: [2 ** 40] }),
    ...send(message),
  ]);
  expect(countOf(results, 'sent')).toBe(4);
  expect(batches).toEqual([1, 1, 1, 1]);
  expect((await scrape()).of('parley_log_divided_appends_total') - before).toBe(1);
});

test.each([
  ['40P01', ''],
  ['40001', ''],
  ['23505', 'messages_pkey_102697'],
  ['23505', 'event_log_pkey_102698'],
])(
  'an append that another transaction is in the way of (%s %s) is tried again as a whole',
  async (code, constraint) => {
    const { alice, batches, send, settle } = await open();
    const message = await messageOf(alice);
    const before = (await scrape()).of('parley_log_divided_appends_total');
    await using _ = await refuseMessages({ number: 2, times: 2, code, constraint });
    expect(countOf(await settle(send(message, 4)), 'sent')).toBe(4);
    expect(batches).toEqual([1, 3]);
    expect((await scrape()).of('parley_log_divided_appends_total')).toBe(before);
  },
);

test('an append that others are in the way of three times is refused, and may be asked for again', async () => {
  const { alice, send, settle } = await open();
  const message = await messageOf(alice);
  await using _ = await refuseMessages({ times: 3, code: '40001' });
  expect(await settle(send(message))).toEqual(['SERVER_NOT_READY database']);
  expect(await settle(send(message))).toEqual(['sent']);
});

test('an id of one Postgres that is there already is no conflict', async () => {
  const { alice, send, settle } = await open();
  const message = await messageOf(alice);
  await using _ = await refuseMessages({ code: '23505', constraint: 'messages_pkey' });
  expect(await settle(send(message))).toEqual(['23505 ']);
});

test('while Postgres is away, all that wait are refused', async () => {
  const world = await getWorld();
  const proxy = await startPostgresProxy(world.databaseUrl);
  const sql = connectSql({ url: proxy.url, name: 'test', max: 1 });
  const { alice, send, settle } = await open(sql);
  const message = await messageOf(alice);
  expect(await settle(send(message))).toEqual(['sent']);
  await proxy[Symbol.asyncDispose]();
  expect(await settle(send(message, 3))).toEqual(
    Array.from({ length: 3 }, () => 'SERVER_NOT_READY database'),
  );
  await sql.end({ timeout: 1 });
});
