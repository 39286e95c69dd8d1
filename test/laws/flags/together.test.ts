import * as actions from '@parley/actions';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  fewestRoundTrips,
  getWorld,
  headOf,
  say,
  startPostgresProxy,
  succeed,
  tell,
} from '../../support/index.ts';
import { type Flag, type Op, channelIn, open, stateOf } from './scene.ts';

describe('flags', () => {
  test('share an append if they change together, and each change is told to whom it belongs, in the order of the log', async () => {
    const { alice, bob, carol, owner, admin, realm: home, batches, change, together, entries } = await open();
    const [one, two] = [await say(owner, 'news'), await say(owner, 'news')];
    const secret = await tell(bob, [alice]);
    await change(carol, [one], {
      flag: 'starred',
      messages: [{ id: one, channelId: await channelIn(one, home) }],
    });
    batches.length = 0;
    const head = await headOf(home.id);
    const changed = await together(() => [
      change(alice, [two, one, secret]),
      change(bob, [two]),
      change(carol, [one, secret], { flag: 'starred', op: 'remove' }),
      change(admin, [one, two]),
    ]);
    expect(changed).toEqual([[one, two, secret], [two], [one], []]);
    expect(batches).toEqual([['unchanged'], ['written', 'written', 'written', 'unchanged']]);
    const event = { type: 'update_message_flags', all: false };
    const added = { ...event, op: 'add', operation: 'add', flag: 'read' };
    expect(await entries(3)).toMatchObject([
      { seq: head + 1, audience: { users: [alice.id] }, event: { ...added, messages: [one, two, secret] } },
      { seq: head + 2, audience: { users: [bob.id] }, event: { ...added, messages: [two] } },
      {
        seq: head + 3,
        audience: { users: [carol.id] },
        event: { ...event, op: 'remove', operation: 'remove', flag: 'starred', messages: [one] },
      },
    ]);
  });

  test.each([
    ['read', 'add'],
    ['starred', 'add'],
    ['starred', 'remove'],
    ['collapsed', 'add'],
    ['collapsed', 'remove'],
  ] as const)('are left the same together and alone: %s, %s', async (flag, op) => {
    const { alice, bob, owner, realm: home, change, changeAlone, entries } = await open();
    const messages = [await say(owner, 'news'), await say(alice, 'news'), await say(bob, 'news')];
    const withChannels = await Promise.all(
      messages.map(async (id) => ({ id, channelId: await channelIn(id, home) })),
    );
    if (op === 'remove') {
      for (const person of [alice, bob]) await changeAlone(person, messages, flag, 'add');
      for (const person of [alice, bob]) await changeAlone(person, messages, 'read', 'add');
    }
    await changeAlone(alice, messages, flag, op);
    const [logged] = await entries(1);
    await change(bob, messages, { flag, op, messages: withChannels });
    const [written] = await entries(1);
    const placeless = (entry: object = {}) => ({ ...entry, seq: 0, audience: null });
    expect(placeless(written)).toEqual(placeless(logged));
    expect((await stateOf(bob)).flags).toEqual((await stateOf(alice)).flags);
    expect((await stateOf(bob)).read).toEqual((await stateOf(alice)).read);
    expect([logged?.audience, written?.audience]).toEqual([{ users: [alice.id] }, { users: [bob.id] }]);
  });

  test('share no append if they are one person’s, and hold up nobody else', async () => {
    const { alice, bob, owner, batches, change, together } = await open();
    const [one, two] = [await say(owner, 'news'), await say(owner, 'news')];
    const changed = await together(() => [
      change(alice, [one]),
      change(alice, [one, two]),
      change(bob, [one]),
    ]);
    expect(changed).toEqual([[one], [two], [one]]);
    expect(batches).toEqual([['unchanged'], ['written', 'written'], ['written']]);
  });

  test('say how far the log was if they were changed before', async () => {
    const { alice, owner, realm: home, published, change } = await open();
    const message = await say(owner, 'news');
    await change(alice, [message]);
    await say(owner, 'news');
    expect(await change(alice, [message])).toEqual([]);
    const seq = await headOf(home.id);
    expect(published.at(-1)).toMatchObject({
      outcome: 'unchanged',
      seq,
      known: expect.stringContaining(`${seq}`),
    });
  });

  test('begin a term as any entry does', async () => {
    const { alice, owner, realm: home, sql, change, entries } = await open();
    const message = await say(owner, 'news');
    await sql`update realm_heads set term = 'before' where realm_id = ${home.id}`;
    const head = async () => {
      const [row] = await sql<{ term: string; last: number }[]>`
        select term, message_id::float8 as last from realm_heads where realm_id = ${home.id}`;
      return row;
    };
    const before = await head();
    await change(alice, [message]);
    const [entry] = await entries(1);
    const after = await head();
    expect(entry).toMatchObject({ previousTerm: 'before', term: after?.term });
    expect((after?.last ?? 0) - (before?.last ?? 0)).toBe(1000);
    await change(alice, [message], {
      flag: 'collapsed',
      messages: [{ id: message, channelId: await channelIn(message, home) }],
    });
    const [next] = await entries(1);
    expect(next).toMatchObject({ term: after?.term });
    expect(next).not.toHaveProperty('previousTerm');
  });

  test('take one round trip to Postgres, behind the one that says who asks', async () => {
    const { alice, owner } = await open();
    const messages: number[] = [];
    for (let count = 0; count < 7; count += 1) messages.push(await say(owner, 'news'));
    const { databaseUrl, startApi } = await getWorld();
    await using proxy = await startPostgresProxy(databaseUrl);
    await using node = await startApi({ databaseUrl: proxy.url, databaseConnections: 1 });
    const mark = async (at: number) => {
      const params = { op: 'add', flag: 'read', messages: [messages[at]] };
      const marked = alice.ask('POST', '/messages/flags', params, { port: node.port });
      await succeed(marked.then(({ body }) => body));
    };
    // The first reads the account, and the second asks for the first time whether it is still the same.
    await mark(0);
    await mark(1);
    expect(await fewestRoundTrips(proxy, (time) => mark(time + 2))).toBe(2);
  });
});

const step = fc.record({
  flag: fc.constantFrom<Flag>('read', 'starred', 'collapsed'),
  op: fc.constantFrom<Op>('add', 'remove'),
  messages: fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1 }),
});

test('people who change flags at once each have what they did, and hear exactly that', async () => {
  const { alice, bob, carol, owner, realm: home } = await open();
  const { engine } = await getWorld();
  const messages: number[] = [];
  for (let count = 0; count < 5; count += 1) messages.push(await say(owner, 'news'));
  const readers = [alice, bob, carol];
  const flags: Flag[] = ['read', 'starred', 'collapsed'];
  const held = new Map(readers.map(({ id }) => [id, new Set<string>()]));
  const phones = await Promise.all(
    readers.map((reader) => reader.listen({ event_types: ['update_message_flags'], fetch_event_types: [] })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, step, step), { minLength: 1, maxLength: 4 }), async (rounds) => {
      const expected = readers.map((reader, index) =>
        rounds.flatMap((steps) => {
          const { flag, op, messages: places } = steps[index] ?? steps[0];
          const mine = held.get(reader.id) ?? new Set();
          const changed = messages.filter(
            (id, place) => places.includes(place) && mine.has(`${flag} ${id}`) !== (op === 'add'),
          );
          for (const id of changed) mine[op === 'add' ? 'add' : 'delete'](`${flag} ${id}`);
          return changed.length > 0 ? [{ op, flag, messages: changed }] : [];
        }),
      );
      await Promise.all(
        readers.map(async (reader, index) => {
          for (const steps of rounds) {
            const { flag, op, messages: places } = steps[index] ?? steps[0];
            const ids = places.map((place) => messages[place] ?? 0);
            await engine.perform(
              home.id,
              actions.messages.changeFlags,
              { actor: reader.actor, change: { ids, op, flag } },
              reader.actor,
            );
          }
        }),
      );
      for (const [index, phone] of phones.entries()) {
        const heard = (await phone.hears()).map(({ op, flag, messages: ids }) => ({
          op,
          flag,
          messages: ids,
        }));
        expect(heard).toEqual(expected[index]);
      }
    }),
    { numRuns: 8 },
  );
  for (const reader of readers) {
    const { messages: fetched } = await reader.get('/messages', {
      anchor: messages[0],
      num_before: 0,
      num_after: 4,
    });
    const got = fetched.flatMap(({ id, flags: own }: { id: number; flags: string[] }) =>
      flags.filter((flag) => own.includes(flag)).map((flag) => `${flag} ${id}`),
    );
    expect(got.sort()).toEqual([...(held.get(reader.id) ?? [])].sort());
  }
});
