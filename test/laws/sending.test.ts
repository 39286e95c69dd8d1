import * as actions from '@parley/actions';
import { describe, expect, test } from 'vitest';

import {
  type Person,
  addMembers,
  countRows,
  fewestRoundTrips,
  getWorld,
  headOf,
  realm,
  startPostgresProxy,
  succeed,
  takeBugs,
} from '../support/index.ts';
import { performAdHoc } from '../support/perform-ad-hoc.ts';

async function rowsWrittenBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await countRows();
  await work();
  const after = await countRows();
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, count]) =>
      count === before[name] ? [] : [[name, count - (before[name] ?? 0)]],
    ),
  );
}

describe('the cost of a message', () => {
  test('is the same rows for ten subscribers and for a thousand, and one append', async () => {
    const { alice, realm: home } = await realm();
    const ids = await addMembers(home, 1000);
    const written = [];
    for (const [name, size] of [
      ['small', 10],
      ['large', 1000],
    ] as const) {
      await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [alice.id, ...ids.slice(0, size)],
      });
      const send = () => alice.post('/messages', { type: 'channel', to: name, topic: 't', content: 'x' });
      expect((await send()).result).toBe('success');
      const head = await headOf(home.id);
      written.push(await rowsWrittenBy(send));
      expect((await headOf(home.id)) - head, 'log entries').toBe(1);
    }
    expect(written).toEqual([
      { messages: 1, event_log: 1 },
      { messages: 1, event_log: 1 },
    ]);
  });

  test('is one round trip to Postgres, once the way is known', async () => {
    const { alice, bob } = await realm();
    const { databaseUrl, startApi } = await getWorld();
    await using proxy = await startPostgresProxy(databaseUrl);
    await using node = await startApi({ databaseUrl: proxy.url, databaseConnections: 1 });
    const send = async () => {
      const params = { type: 'direct', to: [bob.id], content: 'x' };
      const sent = alice.ask('POST', '/messages', params, { port: node.port });
      await succeed(sent.then(({ body }) => body));
    };
    await send();
    expect(proxy.takeRoundTrips(), 'who sends and where to is asked first').toBeGreaterThan(2);
    expect(await fewestRoundTrips(proxy, send)).toBe(1);
  });
});

describe('messages and changes of the rules', () => {
  test('a message sent after a deactivation is refused, however well its way was known', async () => {
    const { alice, bob, carol } = await realm();
    const { sql, engine } = await getWorld();
    const to = (person: Person) => ({ type: 'direct', to: [person.id], content: 'x' });
    expect((await alice.post('/messages', to(bob))).result).toBe('success');
    expect((await carol.post('/messages', to(bob))).result).toBe('success');

    await performAdHoc(engine, alice.realm.id, async (tx) => {
      await tx.execute(`update users set is_active = false where id = ${alice.id}`);
      return { events: [], changesRules: true };
    });

    expect(await alice.post('/messages', to(bob))).toMatchObject({
      code: 'UNAUTHORIZED',
      msg: 'This account is deactivated.',
    });
    expect((await carol.post('/messages', to(bob))).result, 'others plan anew and go on').toBe('success');
    const [row] = await sql<{ count: number }[]>`select count(*) from messages where sender_id = ${alice.id}`;
    expect(Number(row?.count)).toBe(1);
  });

  test('a stream of messages that races with the end of its key stops at one position in the log', async () => {
    const { alice, bob } = await realm();
    const { engine, sql } = await getWorld();
    const phone = await bob.listen();
    const send = async () => await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'x' });
    await send();

    const sending = Array.from({ length: 80 }, () => send());
    const ending = engine.perform(alice.realm.id, actions.users.endApiKey, { user: alice.actor });
    const replies = [...(await Promise.all(sending)), await ending.then(send)];

    expect(replies.at(-1)).toMatchObject({ code: 'UNAUTHORIZED' });
    const sent = replies.flatMap(({ id }) => id ?? []).sort((a, b) => a - b);
    const heard = (await phone.hears()).map(({ message }) => message.id);
    expect(heard.slice(1)).toEqual(sent);
    const [late] = await sql<{ count: number }[]>`
      select count(*) from event_log e where realm_id = ${alice.realm.id} and entry #>> '{event,type}' = 'message'
        and seq > (select seq from event_log k where k.realm_id = e.realm_id
          and entry #>> '{event,type}' = 'key_regenerated')`;
    expect(Number(late?.count), 'messages after the end of the key').toBe(0);
  });

  test('a message that cannot be written fails alone, not with those beside it', async () => {
    const { alice, bob, carol } = await realm();
    const { sql } = await getWorld();
    const phone = await bob.listen();
    // A rule of the database that one text breaks: no request can be malformed enough.
    await sql`alter table messages add constraint test_poison check (content <> 'poison')`;
    try {
      const send = (who: Person, content: string) =>
        who.ask('POST', '/messages', { type: 'direct', to: [bob.id], content }).catch((error: unknown) => {
          if (!String(error).includes('answered 500')) throw error;
          return { status: 500 };
        });
      for (const who of [alice, carol]) await send(who, 'first');
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          send(index % 2 ? alice : carol, index === 11 ? 'poison' : 'fine'),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(
        Array.from({ length: 30 }, (_, index) => (index === 11 ? 500 : 200)),
      );
      expect(await phone.hears()).toHaveLength(31);
      expect(await takeBugs()).toHaveLength(1);
    } finally {
      await sql`alter table messages drop constraint test_poison`;
    }
  });
});
