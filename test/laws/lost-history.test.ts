import { createLogger } from '@parley/kit';
import { type Sql, createFence, readHeads, readTerm } from '@parley/log';
import { keys, partitionOf } from '@parley/redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type Json, type Listener, type Person, getWorld, realm } from '../support/index.ts';

type Appended = Parameters<ReturnType<typeof createFence>['remember']>[1][number];

const partitions = 16;

/** How the terms of this file's servers end, one after the other. */
const servers = ['00000000000a1', '00000000000b2', '00000000000c3'];
let sql: Sql;

/** From now on the database is that of another server, as far as whoever writes to the log can tell. */
const switchTo = async (server: number) =>
  await sql.unsafe(`
    create or replace function log_term(p_epoch uuid) returns text language sql stable as $$
      select left(p_epoch::text, 8) || '${servers[server]}'
    $$`);

beforeAll(async () => {
  ({ sql } = await getWorld());
});
afterAll(() => switchTo(0));

const epochOf = async (realmId: number) => (await readHeads(sql, [realmId]))[0]?.epoch;

const send = async (from: Person, to: Person, content: string): Promise<number> => {
  const { result, id } = await from.post('/messages', { type: 'direct', to: [to.id], content });
  expect(result).toBe('success');
  return Number(id);
};

/** Takes the log back to an entry, with the messages behind it, as a replica that lacks them has it. */
async function lose(realmId: number, after: number): Promise<void> {
  const term = await readTerm(sql, realmId, after);
  await sql.begin(async (tx) => {
    await tx`
      delete from messages where id in (
        select (entry #>> '{event,message,id}')::bigint from event_log where realm_id = ${realmId} and seq > ${after}
      )`;
    await tx`delete from event_log where realm_id = ${realmId} and seq > ${after}`;
    await tx`update realm_heads set seq = ${after}, term = ${term} where realm_id = ${realmId}`;
  });
}

const headOf = async (realmId: number) => (await readHeads(sql, [realmId]))[0]?.seq ?? 0;

const until = (isSo: () => Promise<boolean>) => vi.waitUntil(isSo, { timeout: 60_000 });

/** Polls, at another node if its port is given, until the queue is refused. */
const untilTold = async (person: Person, phone: Listener, port?: number) =>
  await until(async () => (await pollOnce(person, phone, port)).code === 'BAD_EVENT_QUEUE_ID');

async function pollOnce(person: Person, { queueId, lastEventId }: Listener, port?: number): Promise<Json> {
  const params = { queue_id: queueId, last_event_id: lastEventId, dont_block: true };
  return (await person.ask('GET', '/events', params, port === undefined ? {} : { port })).body;
}

/** A realm in which Bob has heard of a message at this node. */
async function heardSoFar() {
  await switchTo(0);
  const { alice, bob, carol, realm: home } = await realm();
  const phone = await bob.listen({ event_types: ['message'] });
  await send(alice, bob, 'kept');
  expect(await phone.waits()).toHaveLength(1);
  return { alice, bob, carol, id: home.id, phone, kept: await headOf(home.id) };
}

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
    const { redis } = await getWorld();
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

describe('where the server before goes on for a moment', () => {
  /** Loses the end of a log, of which everybody is told; then an api node has two more entries acknowledged by the server before. */
  async function loseAndGoOn() {
    const heard = await heardSoFar();
    const { alice, bob, id, phone, kept } = heard;
    const epoch = await epochOf(id);
    await send(alice, bob, 'lost');
    await lose(id, kept);
    await until(async () => (await epochOf(id)) !== epoch);
    await untilTold(bob, phone);
    const again = await bob.listen({ event_types: ['message'] });
    const entry = (seq: number) => `{"seq":${seq},"term":"${String(epoch).slice(0, 8)}${servers[0]}"}`;
    return { ...heard, again, renewed: await epochOf(id), entry };
  }
  /** The present epoch began well after all that was acknowledged: how long a comparison is under way is not known. */
  const beganMuchLater = (id: number) =>
    sql`update realm_heads set epoch_began_at = now() + interval '1 hour' where realm_id = ${id}`;
  /** A fence that compares when it is told to, and not once more by itself after a while. */
  const openFence = () =>
    createFence({
      sql,
      logger: createLogger({ role: 'test', level: 'silent' }),
      after: () => ({ [Symbol.dispose]: () => undefined }),
    });

  test('what it acknowledges after everybody was told is told, once', async () => {
    const { bob, id, kept, again, renewed, entry } = await loseAndGoOn();
    await using first = openFence();
    await using second = openFence();
    first.remember(id, [{ seq: kept + 1, entry: entry(kept + 1) } as Appended]);
    second.remember(id, [{ seq: kept + 2, entry: entry(kept + 2) } as Appended]);
    first.claimAll();
    await first.settled();
    const told = await epochOf(id);
    expect(told).not.toBe(renewed);
    await untilTold(bob, again);
    await beganMuchLater(id);
    second.claimAll();
    await second.settled();
    first.claimAll();
    await first.settled();
    expect(await epochOf(id)).toBe(told);
  });

  test.each([
    ['a message that it says was sent before', { outcome: 'repeated', messageId: 1 }],
    ['a flag that it says was set before', { outcome: 'unchanged' }],
  ] as const)('%s is told as well', async (_, answer) => {
    const { bob, id, kept, again, renewed, entry } = await loseAndGoOn();
    await using fence = openFence();
    const known = entry(kept + 1);
    fence.remember(id, [{ ...answer, seq: kept + 1, known }]);
    fence.claimAll();
    await fence.settled();
    expect(await epochOf(id)).not.toBe(renewed);
    await untilTold(bob, again);
  });

  test('what it acknowledged is told also where somebody has read further of that history', async () => {
    const { id, kept, renewed, entry } = await loseAndGoOn();
    await using fence = openFence();
    fence.remember(id, [{ seq: kept + 1, entry: entry(kept + 1) } as Appended]);
    const { term } = JSON.parse(entry(kept + 1)) as { term: string };
    const read = { realmId: id, epoch: term.slice(0, 8), term };
    // While the first is compared, the others wait.
    fence.claim({ ...read, seq: kept });
    fence.claimAll();
    fence.claim({ ...read, seq: kept + 5 });
    await fence.settled();
    expect(await epochOf(id)).not.toBe(renewed);
  });

  test('what it acknowledged before is not told again, nor what is only read of', async () => {
    const { id, kept, entry } = await heardSoFar().then(async (heard) => ({
      ...heard,
      entry: `{"seq":${heard.kept + 1},"term":"${String(await epochOf(heard.id)).slice(0, 8)}${servers[0]}"}`,
    }));
    await using fence = openFence();
    fence.remember(id, [{ seq: kept + 1, entry } as Appended]);
    await sql`select begin_epoch(${id}, '{}')`;
    await beganMuchLater(id);
    const begun = await epochOf(id);
    fence.claimAll();
    await fence.settled();
    const { term } = JSON.parse(entry) as { term: string };
    fence.claim({ realmId: id, epoch: term.slice(0, 8), seq: kept + 1, term });
    await fence.settled();
    expect(await epochOf(id)).toBe(begun);
  });

  test('what is lost is told again where the server that told it is lost as well', async () => {
    const { id, kept } = await heardSoFar();
    const epoch = await epochOf(id);
    await using fence = openFence();
    const entry = `{"seq":${kept + 1},"term":"${String(epoch).slice(0, 8)}${servers[0]}"}`;
    fence.remember(id, [{ seq: kept + 1, entry } as Appended]);
    const after = async (appended: string) => {
      fence.remember(id, [{ seq: kept, entry: appended } as Appended]);
      await fence.settled();
      return await epochOf(id);
    };
    const term = await readTerm(sql, id, kept);
    expect(await after(`{"seq":${kept},"term":"${term}1"}`)).not.toBe(epoch);
    // The next one knows nothing of the new epoch, and has what this process appended last.
    await sql`update realm_heads set epoch = ${epoch ?? ''}, former_epochs = '{}' where realm_id = ${id}`;
    await sql`
      update event_log set entry = jsonb_set(entry::jsonb, '{term}', to_jsonb(${`${term}1`}::text)) where realm_id = ${id} and seq = ${kept}`;
    await sql`update realm_heads set term = ${`${term}1`} where realm_id = ${id}`;
    fence.claimAll();
    await fence.settled();
    expect(await epochOf(id)).not.toBe(epoch);
  });

  test.each([
    ['two servers have acknowledged', [0, 1]],
    ['a server acknowledged before another one was heard of', [1]],
  ])('what %s is compared again until one of them must be gone', async (_, offsets) => {
    const { alice, bob, id, kept } = await heardSoFar();
    const epoch = await epochOf(id);
    await switchTo(1);
    await send(alice, bob, 'of the other');
    const waiting: { ms: number; work: () => void }[] = [];
    const after = (ms: number, work: () => void) => {
      waiting.push({ ms, work });
      return { [Symbol.dispose]: () => undefined };
    };
    await using fence = createFence({ sql, logger: createLogger({ role: 'test', level: 'silent' }), after });
    for (const seq of offsets.map((offset) => kept + offset)) {
      const entry = `{"seq":${seq},"term":"${await readTerm(sql, id, seq)}"}`;
      fence.remember(id, [{ seq, entry } as Appended]);
    }
    if (waiting.length === 0) fence.claimAll();
    await fence.settled();
    expect(await epochOf(id)).toBe(epoch);
    // The first one answers from now on: what the other has acknowledged is lost.
    await lose(id, kept);
    waiting[0]?.work();
    await fence.settled();
    expect(await epochOf(id)).not.toBe(epoch);
    waiting[1]?.work();
    expect(waiting.map(({ ms }) => ms)).toEqual([1000, 2000, 4000]);
  });

  test('what it acknowledged and the log has is told to nobody', async () => {
    const { id, kept } = await heardSoFar();
    const term = await readTerm(sql, id, kept);
    await sql`select begin_epoch(${id}, '{}')`;
    const begun = await epochOf(id);
    await using fence = openFence();
    fence.remember(id, [{ seq: kept, entry: `{"seq":${kept},"term":"${term}"}` } as Appended]);
    fence.claimAll();
    await fence.settled();
    expect(await epochOf(id)).toBe(begun);
  });
});

test('what a trimmed entry was, the next one says; of one whose next is gone, nobody says that it is lost', async () => {
  const { alice, bob, id, kept } = await heardSoFar();
  await switchTo(1);
  for (const content of ['one', 'two']) await send(alice, bob, content);
  const [epoch, term] = [String(await epochOf(id)).slice(0, 8), await readTerm(sql, id, kept + 2)];
  await sql`delete from event_log where realm_id = ${id} and seq <= ${kept + 1}`;
  const isLost = async (seq: number, of: string | null) => {
    const [row] = await sql`select position_is_lost(${id}, ${epoch}, ${seq}, ${of}, null) as lost`;
    return Boolean(row?.['lost']);
  };
  expect([await isLost(kept + 1, term), await isLost(kept + 1, `${epoch}${servers[0]}`)]).toEqual([
    false,
    true,
  ]);
  expect(await isLost(kept, 'whatever it was')).toBe(false);
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

describe('where several servers hold organizations', () => {
  test('what one that does not answer has lost is told once it does, and that of another meanwhile', async () => {
    const [away, there] = [await heardSoFar(), await heardSoFar()];
    let isAway = true;
    await using fence = createFence({
      sql,
      servers: {
        byServer: async (realmIds) =>
          realmIds.map((realmId) => ({
            realmIds: [realmId],
            ask: async (work) => {
              if (isAway && realmId === away.id)
                throw Object.assign(new Error('It is away.'), { code: 'ECONNREFUSED' });
              return await work(sql);
            },
          })),
      },
      logger: createLogger({ role: 'test', level: 'silent' }),
    });
    const before = await Promise.all([away, there].map(({ id }) => epochOf(id)));
    for (const [index, { id, kept }] of [away, there].entries()) {
      const epoch = before[index]?.slice(0, 8) ?? '';
      fence.claim({ realmId: id, epoch, seq: kept + 1, term: `${epoch}${servers[1]}` });
    }
    await until(async () => (await epochOf(there.id)) !== before[1]);
    expect(await epochOf(away.id)).toBe(before[0]);
    isAway = false;
    await fence.settled();
    expect(await epochOf(away.id)).not.toBe(before[0]);
  });
});
