import * as actions from '@parley/actions';
import { events, to } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Person, type World, getWorld, headOf, realm, subscribe } from '../support/index.ts';
import { performAdHoc } from '../support/perform-ad-hoc.ts';

interface Row {
  seq: number;
  entry: { seq: number; event: { type: string; message?: { id: number } } };
}

async function readAfter({ sql }: World, realmId: number, after: number): Promise<Row[]> {
  const rows = await sql<Row[]>`
    select seq, entry from event_log where realm_id = ${realmId} and seq > ${after} order by seq`;
  return [...rows];
}

/** A promise, and whether it is settled: to say of something that it has not happened. */
function watch<Result>(promise: Promise<Result>) {
  const watched = { promise, isSettled: false };
  promise.then(
    () => (watched.isSettled = true),
    () => (watched.isSettled = true),
  );
  return watched;
}

/** Resolves when some other transaction waits for the realm's head. */
async function somebodyWaits({ sql }: World, pid: number): Promise<void> {
  for (;;) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
    if ((row?.count ?? 0) > 0) return;
  }
}

const note = (person: Person) => person.post('/messages', { type: 'direct', to: [person.id], content: 'x' });

describe('the order of the log', () => {
  test('an entry is never seen before the one in front of it, however long that one takes', async () => {
    const { alice, bob, realm: home } = await realm();
    const world = await getWorld();
    const before = await headOf(home.id);
    const phone = await bob.listen();

    let proceed = () => {};
    let arrive: (pid: number) => void = () => {};
    const holding = new Promise<number>((resolve) => (arrive = resolve));
    const slow = world.sql.begin(async (tx) => {
      const pending = JSON.stringify([to.user(bob, events.keyRegenerated({}))]);
      await tx`select * from append_events(${home.id}, ${pending}::text::jsonb, '[]', true)`;
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await new Promise<void>((resolve) => {
        proceed = resolve;
        arrive(row?.pid ?? 0);
      });
    });
    const pid = await holding;
    const quick = watch(alice.post('/messages', { type: 'direct', to: [bob.id], content: 'second' }));
    await somebodyWaits(world, pid);

    expect(quick.isSettled).toBe(false);
    expect(await readAfter(world, home.id, before)).toEqual([]);
    expect(await headOf(home.id)).toBe(before);
    expect(await phone.hears()).toEqual([]);

    proceed();
    await slow;
    const { id } = await quick.promise;
    expect(
      (await readAfter(world, home.id, before)).map(({ seq, entry }) => [seq, entry.event.type]),
    ).toEqual([
      [before + 1, 'key_regenerated'],
      [before + 2, 'message'],
    ]);
    expect((await phone.hears()).map(({ message }) => message.id)).toEqual([id]);
  });

  test('a message waits for nobody who is just joining its channel', async () => {
    const { alice, bob, realm: home } = await realm();
    const { engine } = await getWorld();
    await subscribe(alice, 'news');
    const send = () => alice.post('/messages', { type: 'channel', to: 'news', topic: 't', content: 'x' });
    const phone = await bob.listen({ event_types: ['stream', 'subscription'] });

    let proceed = () => {};
    let arrive = () => {};
    const joined = new Promise<void>((resolve) => (arrive = resolve));
    const joining = performAdHoc(engine, home.id, async (tx) => {
      const result = await actions.channels.subscribe(tx, {
        actor: alice.actor,
        channels: [{ name: 'news', description: '', color: null }],
        principals: [bob.id],
        creates: { isPrivate: false, sharesHistory: true },
        isStrict: true,
      });
      // All that joining locks is locked by now, but for the head of the log.
      await new Promise<void>((resolve) => {
        proceed = resolve;
        arrive();
      });
      return result;
    });
    await joined;
    const { id } = await send();
    proceed();
    await joining;
    expect(await phone.hears()).toMatchObject([
      { type: 'stream', op: 'update', property: 'first_message_id', value: id },
      // Written before the message was sent, and appended after it.
      { type: 'subscription', op: 'add', subscriptions: [{ name: 'news', first_message_id: id }] },
    ]);
    expect((await bob.get('/users/me')).max_message_id, 'what was sent before is not received').toBe(-1);
  });

  test('an append that is undone leaves no hole', async () => {
    const { alice, realm: home } = await realm();
    const world = await getWorld();
    const before = await headOf(home.id);
    const undone = world.sql.begin(async (tx) => {
      const pending = JSON.stringify([to.everyone(events.keyRegenerated({}))]);
      await tx`select * from append_events(${home.id}, ${pending}::text::jsonb, '[]', true)`;
      throw new Error('never mind');
    });
    await expect(undone).rejects.toThrow('never mind');
    await note(alice);
    expect((await readAfter(world, home.id, before)).map(({ seq }) => seq)).toEqual([before + 1]);
  });

  test('an action that fails leaves neither its rows nor its events', async () => {
    const { alice, realm: home } = await realm();
    const { engine, sql } = await getWorld();
    const before = await headOf(home.id);
    const failing = performAdHoc(engine, home.id, async (tx) => {
      await tx.execute(`update users set full_name = 'Nobody' where id = ${alice.id}`);
      // No conversation has this number: the append refuses, after the rows were written.
      return {
        events: [to.everyone(events.keyRegenerated({}))],
        changesRules: true,
        memberships: [{ conversationId: 2 ** 40, joined: [], left: [] }],
      };
    });
    await expect(failing).rejects.toThrow('Failed query');
    expect(await headOf(home.id)).toBe(before);
    const [row] = await sql<{ name: string }[]>`select full_name as name from users where id = ${alice.id}`;
    expect(row?.name).toBe('Alice');
  });

  test('whoever writes at the same time, every reader sees a log without holes whose ids rise', async () => {
    const { realm: home, alice, bob, carol, moderator } = await realm();
    const world = await getWorld();
    await using other = await world.startApi();
    const writers = [alice, bob, carol, moderator];
    const kind = fc.constantFrom('direct', 'direct', 'channel', 'subscribe', 'key', 'fail');
    const plan = fc.array(fc.tuple(fc.nat(3), kind, fc.boolean()), { minLength: 2, maxLength: 20 });

    async function write([index, what, elsewhere]: [number, string, boolean]): Promise<void> {
      const who = writers[index] ?? alice;
      const differing = elsewhere ? { port: other.port } : {};
      const post = (path: string, params: object) => who.ask('POST', path, { ...params }, differing);
      if (what === 'direct') await post('/messages', { type: 'direct', to: [alice.id], content: 'x' });
      if (what === 'channel') {
        await post('/messages', { type: 'channel', to: 'news', topic: `topic ${index}`, content: 'x' });
      }
      if (what === 'subscribe') await post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] });
      if (what === 'fail')
        await post('/messages', { type: 'channel', to: 'nowhere', topic: 't', content: 'x' });
      if (what === 'key') {
        // Void rules between the messages, so that some of them have to be planned anew.
        await performAdHoc(world.engine, home.id, async () => ({
          events: [to.users([], events.keyRegenerated({}))],
          changesRules: true,
        }));
      }
    }

    await fc.assert(
      fc.asyncProperty(plan, async (writing) => {
        const start = await headOf(home.id);
        let isDone = false;
        const read = async () => {
          const seen: Row[] = [];
          for (let last = false; !last;) {
            last = isDone;
            // The head first: what it promises must be there when the entries are read after it.
            const head = await headOf(home.id);
            seen.push(...(await readAfter(world, home.id, seen.at(-1)?.seq ?? start)));
            expect(seen.at(-1)?.seq ?? start).toBeGreaterThanOrEqual(head);
          }
          return seen;
        };
        const readers = [read(), read()];
        await Promise.all(writing.map(write)).finally(() => {
          isDone = true;
        });
        const [seen, alsoSeen] = await Promise.all(readers);

        expect(alsoSeen).toEqual(seen);
        expect(seen?.map(({ seq }) => seq)).toEqual(seen?.map((_, index) => start + 1 + index));
        for (const { seq, entry } of seen ?? []) expect(entry.seq).toBe(seq);
        const ids = seen?.flatMap(({ entry }) => entry.event.message?.id ?? []) ?? [];
        expect(ids).toEqual([...ids].sort((a, b) => a - b));
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 25 },
    );
  });

  test('a conversation’s messages are numbered 1, 2, 3 in the order of their ids', async () => {
    const { alice, bob, carol } = await realm();
    const { sql } = await getWorld();
    const people = [alice, bob, carol];
    const ids = people.map(({ id }) => id);
    await Promise.all(
      Array.from({ length: 15 }, () => people)
        .flat()
        .map((person) => person.post('/messages', { type: 'direct', to: ids, content: 'x' })),
    );
    const rows = await sql<{ ordinal: number }[]>`
      select m.ordinal from messages m join conversations c on c.id = m.conversation_id
      where c.people = ${ids} order by m.id`;
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
  });
});
