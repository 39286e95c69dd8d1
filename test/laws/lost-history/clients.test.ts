import type { Sql } from '@parley/log';
import { keys, partitionOf } from '@parley/redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { getWorld } from '../../support/index.ts';
import { epochOf, heardSoFar, lose, pollOnce, send, switchTo, until, untilTold } from './lost-history.ts';

let sql: Sql;

beforeAll(async () => {
  ({ sql } = await getWorld());
});
afterAll(() => switchTo(0));

describe('where a server without the last entries takes over', () => {
  test('whoever has heard them is told to register anew, before a number of theirs is another’s', async () => {
    const { alice, bob, id, phone, kept } = await heardSoFar();
    const epoch = await epochOf(id);
    await send(alice, bob, 'lost');
    expect(await phone.waits()).toHaveLength(1);
    await lose(id, kept);
    await switchTo(1);
    for (const content of ['one', 'two', 'three']) await send(alice, bob, content);
    await untilTold(bob, phone);
    await until(async () => (await epochOf(id)) !== epoch);
    const renewed = await epochOf(id);
    const again = await bob.listen({ event_types: ['message'] });
    await send(alice, bob, 'four');
    expect((await again.waits()).map(({ message }) => message.content)).toEqual(['four']);
    expect(await epochOf(id)).toBe(renewed);
  });

  test('a poll that waits is told, though nobody sends anything', async () => {
    const { alice, bob, id, phone, kept } = await heardSoFar();
    await send(alice, bob, 'lost');
    expect(await phone.waits()).toHaveLength(1);
    const waiting = phone.poll();
    await lose(id, kept);
    expect(await waiting).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  test('everybody is told of what nobody has heard, as the api node that wrote it knows', async () => {
    const { alice, bob, carol, id, kept } = await heardSoFar();
    const epoch = await epochOf(id);
    await send(alice, carol, 'lost');
    await lose(id, kept);
    await switchTo(1);
    await send(alice, bob, 'goes on');
    await until(async () => (await epochOf(id)) !== epoch);
  });

  test('a client whose node is gone is told, though its number names an entry again', async () => {
    const { alice, bob, id, phone, kept } = await heardSoFar();
    await using other = await (await getWorld()).startQueue();
    // The main node has stopped to follow: what it knows is not asked for.
    await send(alice, bob, 'lost');
    const { events } = await pollOnce(bob, phone, other.port);
    phone.lastEventId = events.at(-1).id;
    await lose(id, kept);
    await switchTo(1);
    await sql`
      select append_events(${id}, '[{"event":{"type":"room"},"users":[]},{"event":{"type":"room"},"users":[]}]', '[]', true)`;
    await using fresh = await (await getWorld()).startQueue();
    await untilTold(bob, phone, fresh.port);
  });

  test('nothing that the server before has published is taken for the log that goes on', async () => {
    const { alice, bob, id, phone, kept } = await heardSoFar();
    const { redis, partitions } = await getWorld();
    const stream = keys.log(partitionOf(id, partitions));
    const epoch = await epochOf(id);
    await send(alice, bob, 'lost');
    const [[, fields] = ['', []]] = await redis.xrevrange(stream, '+', '-', 'COUNT', 1);
    await lose(id, kept);
    await switchTo(1);
    // Once more, as from a server that was cut off and went on for a moment.
    await redis.xadd(stream, '*', ...fields);
    await until(async () => (await epochOf(id)) !== epoch);
    await untilTold(bob, phone);
    const again = await bob.listen({ event_types: ['message'] });
    const renewed = await epochOf(id);
    await redis.xadd(stream, '*', ...fields);
    await send(alice, bob, 'goes on');
    expect((await again.waits()).map(({ message }) => message.content)).toEqual(['goes on']);
    expect(await epochOf(id)).toBe(renewed);
  });
});

test('no id of a history that is lost is given to anything else', async () => {
  const { alice, bob, id, kept } = await heardSoFar();
  // Another server would not have been asked yet.
  await sql`select setval('skipped_ids', 1)`;
  const nextUser = async () => {
    const [row] = await sql<
      { id: number }[]
    >`select nextval(pg_get_serial_sequence('users', 'id'))::int as id`;
    return row?.id ?? 0;
  };
  const lost = await nextUser();
  const epoch = await epochOf(id);
  await send(alice, bob, 'lost');
  await lose(id, kept);
  await until(async () => (await epochOf(id)) !== epoch);
  const next = await nextUser();
  expect(next).toBeGreaterThan(lost + 1000);
  await switchTo(1);
  await sql`select skip_ids()`;
  expect(await nextUser()).toBe(next + 1);
});

test('somebody who types is seen behind the end of a log that is shorter than it was', async () => {
  const { alice, bob, id, phone, kept } = await heardSoFar();
  const type = () => alice.post('/typing', { op: 'start', type: 'direct', to: [bob.id] });
  await send(alice, bob, 'lost');
  await type();
  const epoch = await epochOf(id);
  await lose(id, kept);
  await until(async () => (await epochOf(id)) !== epoch);
  await untilTold(bob, phone);
  const again = await bob.listen({ event_types: ['typing'] });
  const waiting = again.waits();
  await type();
  expect((await waiting).map(({ type }) => type)).toEqual(['typing']);
});

describe('where a server that has all entries takes over', () => {
  test('nobody notices', async () => {
    const { alice, bob, id, phone } = await heardSoFar();
    const epoch = await epochOf(id);
    await switchTo(1);
    await send(alice, bob, 'on the second');
    expect(await phone.waits()).toHaveLength(1);
    await switchTo(2);
    await send(alice, bob, 'on the third');
    expect(await phone.waits()).toHaveLength(1);
    expect(await epochOf(id)).toBe(epoch);
  });

  test('another node goes on with a queue, once the one that served it has seen that', async () => {
    const { alice, bob, phone } = await heardSoFar();
    await using other = await (await getWorld()).startQueue();
    await switchTo(1);
    await send(alice, bob, 'on the second');
    expect(await phone.waits()).toHaveLength(1);
    await send(alice, bob, 'and one more');
    await until(async () => (await pollOnce(bob, phone, other.port)).result === 'success');
  });

  test('no plan or rules that were made before are taken for those of now', async () => {
    const { alice, bob, id } = await heardSoFar();
    const versionOf = async () => {
      const [row] = await sql<{ version: string }[]>`
        select rules_version_of(h) as version from realm_heads h where realm_id = ${id}`;
      return Number(row?.version);
    };
    const before = await versionOf();
    await switchTo(1);
    const after = await versionOf();
    expect(after).toBeGreaterThan(before);
    await send(alice, bob, 'planned again');
    expect(await versionOf()).toBe(after);
    // As a log stands that has no entry with a term yet: two servers may both write the first.
    await sql`update realm_heads set term = '' where realm_id = ${id}`;
    expect(await versionOf()).toBe(after);
    await send(alice, bob, 'in the first term');
    expect(await versionOf()).toBeGreaterThan(after);
    await alice.patch('/settings', { full_name: 'Alicia' });
    await send(alice, bob, 'and an action');
  });
});
