import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { type PendingFlags, gatheredFlagsMax } from '@parley/protocol';
import { describe, expect, test, vi } from 'vitest';

import { type Person, createChannel, getWorld, headOf, say, succeed } from '../../support/index.ts';
import { type Flag, type Op, channelIn, open, stateOf } from './scene.ts';

describe('a change of flags is left alone, and the others are made,', () => {
  test.each(['role', 'isFullMember', 'groupIds', 'keyGeneration', 'botOwnerId'] as const)(
    'where %s of the account has changed',
    async (field) => {
      const { alice, bob, owner, batches, change, together } = await open();
      const message = await say(owner, 'news');
      const account = model.users.accountOf(alice.actor);
      const other = { role: 100, isFullMember: false, groupIds: [1], keyGeneration: 2, botOwnerId: owner.id };
      const changed = await together(() => [
        change(alice, [message], { account: { ...account, [field]: other[field] } }),
        change(bob, [message], { account: model.users.accountOf(bob.actor) }),
      ]);
      expect(changed).toEqual([null, [message]]);
      expect(batches.at(-1)).toEqual(['stale', 'written']);
      expect(await change(alice, [message], { account })).toEqual([message]);
    },
  );

  test('where the account has been deactivated', async () => {
    const { alice, bob, owner, sql, change, together } = await open();
    const message = await say(owner, 'news');
    await sql`update users set is_active = false where id = ${alice.id}`;
    const account = model.users.accountOf(alice.actor);
    expect(await together(() => [change(alice, [message], { account }), change(bob, [message])])).toEqual([
      null,
      [message],
    ]);
  });

  test('where the rules on which it depends have changed', async () => {
    const { alice, bob, owner, change, together } = await open();
    const message = await say(owner, 'news');
    expect(
      await together(() => [change(alice, [message], { rulesVersion: -1 }), change(bob, [message])]),
    ).toEqual([null, [message]]);
  });

  test('where a message is gone, or in another channel than where it was readable', async () => {
    const { alice, bob, carol, owner, realm: home, change, together } = await open();
    const message = await say(owner, 'news');
    const channelId = await channelIn(message, home);
    const starred = (messages: PendingFlags['messages']) => ({ flag: 'starred' as const, messages });
    const changed = await together(() => [
      change(alice, [], starred([{ id: message, channelId: 1 }])),
      change(bob, [], starred([{ id: message, channelId }])),
      change(
        carol,
        [],
        starred([
          { id: message, channelId },
          { id: 2 ** 40, channelId },
        ]),
      ),
    ]);
    expect(changed).toEqual([null, [message], null]);
    for (const person of [alice, carol]) expect((await stateOf(person)).flags).toEqual([]);
  });

  test.each([
    ['a member row', 'read', 'conversation_members where user_id = $1'],
    ['a row of flags', 'starred', 'message_flags where user_id = $1'],
    ['an account', 'collapsed', 'users where id = $1'],
  ] as const)('where somebody else has locked %s', async (_, flag, rows) => {
    const { alice, bob, owner, realm: home, sql, changeAlone, change, together } = await open();
    const message = await say(owner, 'news');
    const messages = [{ id: message, channelId: await channelIn(message, home) }];
    if (flag === 'starred') await changeAlone(alice, [message], 'collapsed', 'add');
    await sql.begin(async (tx) => {
      await tx.unsafe(`select from ${rows} for update`, [alice.id]);
      const both = () => [change(alice, [], { flag, messages }), change(bob, [], { flag, messages })];
      expect(await together(both)).toEqual([null, [message]]);
    });
    expect(await change(alice, [], { flag, messages })).toEqual([message]);
  });

  test('where somebody else has locked a message to be starred', async () => {
    const { alice, bob, owner, realm: home, sql, change, together } = await open();
    const [locked, free] = [await say(owner, 'news'), await say(owner, 'news')];
    const star = async (id: number) => ({
      flag: 'starred' as const,
      messages: [{ id, channelId: await channelIn(id, home) }],
    });
    const stars = [await star(locked), await star(free)];
    await sql.begin(async (tx) => {
      await tx`select from messages where realm_id = ${home.id} and id = ${locked} for update`;
      expect(await together(() => [change(alice, [], stars[0]), change(bob, [], stars[1])])).toEqual([
        null,
        [free],
      ]);
    });
  });
});

describe('a request', () => {
  test('is refused to whoever may not read a message to be starred, and to nobody who asks at the same time', async () => {
    const { alice, bob, carol, owner, realm: home, entries } = await open();
    await createChannel(owner, 'secret', [owner], { invite_only: true });
    const [open_, closed] = [await say(owner, 'news'), await say(owner, 'secret')];
    const head = await headOf(home.id);
    const star = (by: Person, messages: number[]) =>
      by.post('/messages/flags', { op: 'add', flag: 'starred', messages });
    const replies = await Promise.all([
      star(carol, [open_]),
      star(alice, [open_, closed]),
      star(bob, [open_]),
      star(owner, [closed]),
    ]);
    expect(replies.map(({ code, result }) => code ?? result)).toEqual([
      'success',
      'BAD_REQUEST',
      'success',
      'success',
    ]);
    expect(await headOf(home.id)).toBe(head + 3);
    const audiences = (await entries(3)).map(({ audience }) => JSON.stringify(audience));
    expect(audiences.sort()).toEqual(
      [carol, bob, owner].map(({ id }) => JSON.stringify({ users: [id] })).sort(),
    );
    expect((await stateOf(alice)).flags).toEqual([]);
  });

  test('waits for a member row that is locked, and reads the message then', async () => {
    const { alice, bob, owner, sql } = await open();
    const message = await say(owner, 'news');
    const read = (by: Person) => by.post('/messages/flags', { op: 'add', flag: 'read', messages: [message] });
    let waiting: Promise<unknown> | undefined;
    await sql.begin(async (tx) => {
      await tx`select from conversation_members where user_id = ${alice.id} for update`;
      waiting = succeed(read(alice));
      await succeed(read(bob));
      const blocked = () => sql`select from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0`;
      await vi.waitUntil(async () => (await blocked()).length > 0, { timeout: 60_000 });
    });
    await waiting;
    const { unread_msgs } = await alice.post('/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    });
    expect(unread_msgs.count).toBe(0);
  });
});

test('flags that change while the rules do are decided by the new ones, and told once', async () => {
  const { alice, bob, owner, realm: home, sql, change, batches } = await open();
  const message = await say(owner, 'news');
  const head = await headOf(home.id);
  const [{ version } = { version: 0 }] = await sql<{ version: number }[]>`
    select rules_version::int as version from realm_heads where realm_id = ${home.id}`;
  let changing: Promise<unknown[]> | undefined;
  await sql.begin(async (tx) => {
    await tx`update realm_heads set rules_version = rules_version + 1 where realm_id = ${home.id}`;
    changing = Promise.all([change(alice, [message]), change(bob, [message], { rulesVersion: version })]);
    const waits = () => sql`
      select from pg_stat_activity where query like '%append_flags%' and cardinality(pg_blocking_pids(pid)) > 0`;
    await vi.waitUntil(async () => (await waits()).length > 0, { timeout: 60_000 });
  });
  expect(await changing).toEqual([[message], null]);
  expect(batches).toEqual([['written'], ['stale']]);
  expect(await headOf(home.id)).toBe(head + 1);
});

test('a change of more messages than may keep others waiting is made alone', async () => {
  const { alice, owner } = await open();
  await say(owner, 'news');
  const { engine } = await getWorld();
  const gather = (ids: number[], op: Op = 'add', flag: Flag = 'read') =>
    actions.messages.changeFlags.gather(engine.db, { actor: alice.actor, change: { ids, op, flag } });
  const many = Array.from({ length: gatheredFlagsMax }, (_, index) => index + 1);
  expect((await gather([...many, ...many]))?.flags.messages).toHaveLength(gatheredFlagsMax);
  expect(await gather([...many, gatheredFlagsMax + 1])).toBeNull();
  expect(await gather([1], 'remove')).toBeNull();
  expect(await gather([1], 'remove', 'starred')).not.toBeNull();
});
