import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { events, to } from '@parley/protocol';
import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';

import {
  type Person,
  type TestRealm,
  basic,
  createChannel,
  emptyChannel,
  getWorld,
  idsOf,
  leave,
  performWhile,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';
import { performAdHoc } from '../support/perform-ad-hoc.ts';

const alertWords = model.alertWords.createAlertWordCache();
const told = events.alertWords({ alert_words: [] });

const until = (isSo: () => Promise<boolean>) => vi.waitUntil(isSo, { timeout: 60_000 });

type Transaction = Parameters<Parameters<Awaited<ReturnType<typeof getWorld>>['sql']['begin']>[1]>[0];

/**
 * Holds the head of a realm's log until somebody waits for it, then changes something in the same transaction. Resolves
 * with the moment just before the head is let go.
 */
async function holdHead(
  { id }: TestRealm['realm'],
  start: () => void,
  change?: (tx: Transaction) => PromiseLike<unknown>,
): Promise<Date> {
  const world = await getWorld();
  return await world.sql.begin(async (tx) => {
    await tx`select from realm_heads where realm_id = ${id} for update`;
    const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    start();
    await until(async () => {
      const waiting = await world.sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
      return waiting.length > 0;
    });
    await change?.(tx);
    const [row] = await tx<{ at: Date }[]>`select clock_timestamp() as at`;
    if (!row) throw new Error('There is no time.');
    return row.at;
  });
}

const idsInTopic = async (by: Person, topic: string): Promise<number[]> => {
  const narrow = [
    ['channel', 'news'],
    ['topic', topic],
  ];
  const { messages } = await succeed(by.get('/messages', { anchor: 'oldest', num_after: 100, narrow }));
  return messages.map(({ id }: { id: number }) => id);
};

describe('what an action decided', () => {
  test.each(['change_all', 'change_later'] as const)(
    'a decision about a whole topic (%s) is repeated when somebody has written there meanwhile',
    async (propagateMode) => {
      const { alice, bob, realm: home } = await realm();
      await subscribe(alice, 'news', [alice, bob]);
      const ids = [];
      for (const by of [alice, bob]) ids.push(await say(by, 'news', 'lunch'));
      await say(alice, 'news', 'dinner');
      const move = {
        messageId: ids[0] ?? 0,
        topic: 'dinner',
        propagateMode,
        notifiesOldThread: false,
        notifiesNewThread: false,
      };
      const runs = await performWhile(
        home,
        (tx) => actions.messages.edit(tx, { actor: alice.actor, alertWords, ...move }),
        async () => ids.push(await say(bob, 'news', 'lunch')),
      );
      expect(runs).toBe(2);
      expect(await idsInTopic(bob, 'lunch')).toEqual([]);
      expect((await idsInTopic(bob, 'dinner')).slice().sort((a, b) => a - b)).toEqual(
        expect.arrayContaining(ids),
      );
    },
  );

  test('a decision about one message of a topic is not repeated', async () => {
    const { alice, bob, realm: home } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const ids = [];
    for (const by of [alice, bob]) ids.push(await say(by, 'news', 'lunch'));
    const move = {
      messageId: ids[0] ?? 0,
      topic: 'dinner',
      propagateMode: 'change_one' as const,
      notifiesOldThread: false,
      notifiesNewThread: false,
    };
    const runs = await performWhile(
      home,
      (tx) => actions.messages.edit(tx, { actor: alice.actor, alertWords, ...move }),
      () => say(bob, 'news', 'lunch'),
    );
    expect(runs).toBe(1);
    expect(await idsInTopic(bob, 'dinner')).toEqual([ids[0]]);
  });

  test('under rules that have changed meanwhile is decided again', async () => {
    const { alice, realm: home } = await realm();
    const { engine } = await getWorld();
    const runs = await performWhile(
      home,
      async (tx) => {
        const { version } = await model.permissions.getRules(tx, home.id);
        return { events: [{ ...to.user(alice, told), rulesVersion: version }] };
      },
      () => performAdHoc(engine, home.id, async () => ({ events: [], changesRules: true })),
    );
    expect(runs).toBe(2);
  });

  const newChannels = [
    ['POST', { subscriptions: [{ name: 'new' }], invite_only: true }],
    ['PATCH', { add: [{ name: 'new' }] }],
  ] as const;
  test.each(newChannels)(
    'a decision about a role is repeated when a channel is new (%s)',
    async (method, params) => {
      const { owner, bob, guest, moderator, realm: home } = await realm();
      // An administrator sees private channels; of a public one, somebody learns who was a guest.
      const [user, role] = method === 'POST' ? ([moderator, 200] as const) : ([guest, 400] as const);
      const listener = await user.listen({ event_types: ['stream'] });
      const runs = await performWhile(
        home,
        (tx) => actions.users.edit(tx, { actor: owner.actor, user: user.id, role }),
        () => succeed(bob.ask(method, '/users/me/subscriptions', params).then(({ body }) => body)),
      );
      expect(runs).toBe(2);
      const appeared = (await listener.hears()).flatMap(({ op, streams }) =>
        op === 'create' ? streams : [],
      );
      expect(appeared).toContainEqual(expect.objectContaining({ name: 'new' }));
    },
  );

  test('is not done when it is stale again and again', async () => {
    const { alice, realm: home } = await realm();
    const { engine } = await getWorld();
    const never = performAdHoc(engine, home.id, async () => ({
      events: [{ ...to.user(alice, told), rulesVersion: 0 }],
    }));
    await expect(never).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  });

  test('is done after a deadlock all the same', async () => {
    const { alice, realm: home } = await realm();
    const { engine } = await getWorld();
    const phone = await alice.listen();
    let runs = 0;
    await performAdHoc(engine, home.id, async (tx) => {
      runs += 1;
      // What Postgres says to the one of two transactions that it ends.
      if (runs === 1)
        await tx.execute(sql`do $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$`);
      return { events: [to.user(alice, told)], changesRules: true };
    });
    expect(runs).toBe(2);
    expect(await phone.hears()).toHaveLength(1);
  });
});

test.each([
  ['plain', 'hello'],
  ['with a mention', '@**bob** hello'],
])(
  'times are those of the places in the log, however long a message (%s) waited for its own',
  async (_, content) => {
    const { alice, bob, realm: home } = await realm();
    const { sql: database } = await getWorld();
    await tell(alice, [bob]);
    let sending: Promise<number> | undefined;
    const letGoAt = await holdHead(home, () => {
      sending = tell(alice, [bob], content);
    });
    const rows = await database<{ at: Date; logged: Date }[]>`
    select sent_at as at, appended_at as logged from messages m join event_log e on e.realm_id = m.realm_id
    where m.realm_id = ${home.id} and m.id = ${(await sending) ?? 0} and entry #>> '{event,message,id}' = ${String((await sending) ?? 0)}`;
    expect(rows).toHaveLength(1);
    for (const { at, logged } of rows) {
      expect(at.getTime()).toBeGreaterThanOrEqual(letGoAt.getTime());
      expect(logged).toEqual(at);
    }
  },
);

test('an entry that no carrier brings is found by comparing heads, even if it is the only one', async () => {
  const { bob, realm: home } = await realm();
  const { sql: database } = await getWorld();
  const phone = await bob.listen();
  await phone.hears();
  const waiting = phone.waits();
  // Appended by whoever died before the entry was published.
  const pending = JSON.stringify([to.user(bob, told)]);
  await database`select from append_events(${home.id}, ${pending}::text::jsonb, '[]', true)`;
  expect(await waiting).toMatchObject([{ type: 'alert_words' }]);
});

describe('what is remembered of a sender', () => {
  test('ends with the subscription that it depends on', async () => {
    const { alice, bob, carol } = await realm();
    const secret = { invite_only: true, history_public_to_subscribers: false };
    await createChannel(alice, 'secret', [alice, bob, carol], secret);
    const post = (by: Person) =>
      by.post('/messages', { type: 'channel', to: 'secret', topic: 't', content: 'x' });
    for (const by of [alice, bob, carol, bob, carol]) await succeed(post(by));
    await leave(bob, ['secret']);
    expect(await post(bob)).toMatchObject({ result: 'error' });
    await leave(alice, ['secret'], [carol]);
    expect(await post(carol)).toMatchObject({ result: 'error' });
    await succeed(post(alice));
  });

  test('what is remembered of a sender with a new key is nothing to whoever comes with the old one', async () => {
    const { alice, bob } = await realm();
    const { ports, redis } = await getWorld();
    const body = new URLSearchParams({ type: 'direct', to: `[${bob.id}]`, content: 'late' }).toString();
    await tell(alice, [bob]);
    const counted = async () => Number(await redis.get(`parley:limit:user:60:${alice.id}`));
    const before = await counted();

    // The old key is verified while it is right, and what it wants to say comes when it is no more.
    const late = request({
      port: ports.api,
      method: 'POST',
      path: '/api/v1/messages',
      headers: {
        Host: alice.realm.host,
        Authorization: basic(alice.email, alice.apiKey),
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': body.length,
      },
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      late.on('response', resolve).on('error', reject);
    });
    late.flushHeaders();
    await until(async () => (await counted()) > before);
    const { api_key } = await succeed(alice.post('/users/me/api_key/regenerate'));
    const renewed = alice.withKey(api_key);
    await tell(renewed, [bob]);
    late.end(body);

    expect(JSON.parse(await text(await answered))).toMatchObject({
      code: 'UNAUTHORIZED',
      msg: 'This API key is not valid.',
    });
    await tell(renewed, [bob]);
  });

  test('is forgotten when their credentials are refused', async () => {
    const { alice, bob, owner } = await realm();
    await tell(alice, [bob]);
    await succeed(owner.delete(`/users/${alice.id}`));
    const refusal = { code: 'UNAUTHORIZED', msg: 'This account is deactivated.' };
    expect(await alice.get('/users/me')).toMatchObject(refusal);
    expect(await alice.post('/messages', { type: 'direct' })).toMatchObject(refusal);
  });
});

test('a message has flags for those alone who receive it', async () => {
  const { alice, bob, carol } = await realm();
  const { sql: database } = await getWorld();
  await emptyChannel(alice, 'news', [alice, bob, carol]);
  await succeed(carol.post('/users/me/alert_words', { alert_words: ['lunch'] }));
  await say(bob, 'news', 't');
  const flagged = async (content: string) => {
    const id = await say(alice, 'news', 't', content);
    const rows = await database<{ id: number }[]>`
      select user_id as id from message_flags
      where realm_id = ${alice.realm.id} and message_id = ${id} order by user_id`;
    return rows.map((row) => row.id);
  };
  expect(await flagged('@**topic** lunch'), 'those who wrote in the topic').toEqual(idsOf([bob, carol]));
  await leave(bob, ['news']);
  await leave(carol, ['news']);
  expect(await flagged('@**topic** lunch')).toEqual([alice.id]);
});

describe('a message that waits for its position in the log', () => {
  const kinds = [
    ['plain', 'hello'],
    ['with a mention', '@**bob** hello'],
  ];

  test.each(kinds)('%s, is planned again under the rules that came before it', async (_, content) => {
    const { alice, bob, realm: home } = await realm();
    await tell(alice, [bob]);
    let sending: Promise<number> | undefined;
    await holdHead(
      home,
      () => {
        sending = tell(alice, [bob], content);
      },
      (tx) => tx`update realm_heads set rules_version = rules_version + 1 where realm_id = ${home.id}`,
    );
    expect(await sending).toBeGreaterThan(0);
  });

  test.each(kinds)('%s, is refused when its sender was deactivated before it', async (_, content) => {
    const { alice, bob, realm: home } = await realm();
    await tell(alice, [bob]);
    const phone = await bob.listen();
    let sending: Promise<unknown> | undefined;
    await holdHead(
      home,
      () => {
        sending = alice.post('/messages', { type: 'direct', to: [bob.id], content });
      },
      async (tx) => {
        await tx`update users set is_active = false where id = ${alice.id}`;
        await tx`update realm_heads set rules_version = rules_version + 1 where realm_id = ${home.id}`;
      },
    );
    expect(await sending).toMatchObject({ code: 'UNAUTHORIZED', msg: 'This account is deactivated.' });
    expect(await phone.hears()).toEqual([]);
  });
});

test('marking everything as read covers what came before its own position in the log', async () => {
  const { alice, bob, realm: home } = await realm();
  await tell(alice, [bob]);
  await performWhile(
    home,
    (tx) => actions.messages.markAllRead(tx, { actor: bob.actor }),
    () => tell(alice, [bob]),
  );
  const types = ['message', 'update_message_flags'];
  const { unread_msgs } = await succeed(bob.post('/register', { fetch_event_types: types }));
  expect(unread_msgs.count).toBe(0);
  await tell(alice, [bob]);
  expect((await succeed(bob.post('/register', { fetch_event_types: types }))).unread_msgs.count).toBe(1);
});

test('whoever has lost a role while their request waited acts with the one that they have', async () => {
  const { alice, realm: home } = await realm();
  let asked: Promise<unknown> = Promise.resolve();
  await holdHead(
    home,
    () => {
      asked = alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'new' }] });
    },
    async (tx) => {
      await tx`update users set role = 600 where id = ${alice.id}`;
      await tx`update realm_heads set rules_version = rules_version + 1 where realm_id = ${home.id}`;
    },
  );
  expect(await asked).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
});
