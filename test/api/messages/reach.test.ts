import { describe, expect, test, vi } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  type TestRealm,
  countFlags,
  createChannel,
  emptyChannel,
  getWorld,
  newest,
  permit,
  realm,
  subscribe,
  succeed,
} from '../../support/index.ts';

const send = (by: Person, content: string, more: object = {}): Promise<Json> =>
  by.post('/messages', { type: 'channel', to: 'news', topic: 't', content, ...more });

/** The flags with which each person hears the next message, or undefined where they do not hear it. */
async function flagsHeardBy(
  people: Person[],
  act: () => Promise<unknown>,
): Promise<(string[] | undefined)[]> {
  const listeners = await Promise.all(people.map((person) => person.listen({ event_types: ['message'] })));
  await act();
  return await Promise.all(listeners.map(async (listener) => (await listener.hears())[0]?.['flags']));
}

const flagsFetchedBy = async (person: Person) =>
  (await person.get('/messages', { anchor: 'newest', num_before: 1 })).messages[0]?.flags;

const set = (person: Person, settings: Params) => succeed(person.patch('/settings', settings));

async function crowd({ alice, join }: TestRealm, size: number): Promise<Person[]> {
  const people = await Promise.all(
    Array.from({ length: size }, (_, index) => join({ name: `Number ${index}` })),
  );
  await subscribe(alice, 'news', [alice, ...people]);
  return people;
}

describe('a mention', () => {
  test('flags the message for whom it names, in the event and ever after', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    const flags = await flagsHeardBy([alice, bob, carol], () =>
      send(alice, `@**Bob** and @**nobody|${carol.id}**`),
    );
    expect(flags).toEqual([[], ['mentioned'], []]);
    expect(await flagsFetchedBy(bob)).toEqual(['mentioned']);
    expect(await flagsFetchedBy(carol)).toEqual([]);
  });

  test('tells namesakes apart by their ids', async () => {
    const { alice, bob, join } = await realm();
    const other = await join({ name: 'Bob', email: 'other@example.com' });
    await subscribe(alice, 'news', [alice, bob, other]);
    expect(await flagsHeardBy([bob, other], () => send(alice, `@**Bob|${other.id}**`))).toEqual([
      [],
      ['mentioned'],
    ]);
  });

  test('brings a member who is not in a public channel this one message, and no other', async () => {
    const { alice, carol, guest } = await realm();
    await subscribe(alice, 'news');
    await send(alice, 'before');
    const flags = await flagsHeardBy([carol, guest], () => send(alice, '@**Carol** @**Gus**'));
    await send(alice, 'after');
    expect(flags).toEqual([['mentioned'], undefined]);
    const { messages } = await carol.get('/messages', {
      anchor: 'newest',
      num_before: 10,
      apply_markdown: false,
    });
    expect(messages.map(({ content }: Json) => content)).toEqual([expect.stringContaining('@**Carol**')]);
    const { unsubscribed, subscriptions } = await carol.post('/register', {
      fetch_event_types: ['subscription'],
    });
    expect([unsubscribed, subscriptions]).toEqual([[], []]);
  });

  test('brings nobody into a private channel', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob], { invite_only: true });
    const flags = await flagsHeardBy([bob, carol], () => send(alice, '@**Carol** @**Bob**'));
    expect(flags).toEqual([['mentioned'], undefined]);
  });

  test('among people alone reaches those in the conversation', async () => {
    const { alice, bob, carol } = await realm();
    const act = () =>
      alice.post('/messages', { type: 'direct', to: [bob.id], content: '@**Bob** @**Carol** @**all**' });
    expect(await flagsHeardBy([alice, bob, carol], act)).toEqual([
      ['stream_wildcard_mentioned', 'wildcard_mentioned'],
      ['mentioned', 'stream_wildcard_mentioned', 'wildcard_mentioned'],
      undefined,
    ]);
  });

  test('a mention of a system group is refused', async () => {
    const { owner } = await realm();
    await subscribe(owner, 'news');
    expect(await send(owner, '@*role:everyone*')).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await send(owner, '@*no such group*')).toMatchObject({ result: 'success' });
  });
});

describe('mentioning everyone', () => {
  test('flags a channel’s message for all who receive it', async () => {
    const { alice, bob, owner } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const wild = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
    expect(await flagsHeardBy([alice, bob, owner], () => send(alice, '@**all**'))).toEqual([
      wild,
      wild,
      undefined,
    ]);
    expect(await flagsFetchedBy(bob)).toEqual(wild);
  });

  test('mentioning everyone of a topic flags it for those who wrote there', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    await send(bob, 'I was here');
    const wild = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
    expect(await flagsHeardBy([bob, carol], () => send(alice, '@**topic**'))).toEqual([wild, []]);
    expect(await flagsFetchedBy(bob)).toEqual(wild);
  });

  test('needs a permission where there are more than 15', async () => {
    const home = await realm();
    const { alice, admin } = home;
    const people = await crowd(home, 14);
    expect(await send(alice, '@**all**')).toMatchObject({ result: 'success' });
    await subscribe(admin, 'news');
    expect(await send(alice, '@**all**')).toMatchObject({ code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' });
    expect(await send(admin, '@**all**')).toMatchObject({ result: 'success' });
    for (const person of [...people, admin]) await send(person, 'x');
    expect(await send(alice, '@**topic**')).toMatchObject({ code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' });
    expect(await send(admin, '@**topic**')).toMatchObject({ result: 'success' });
  });
});

describe('sending to a topic', () => {
  test('follows it for whoever starts it, says so, and tells their clients before the message', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const phone = await alice.listen({ client_capabilities: newest });
    const reply = await send(alice, 'first');
    expect(reply).toMatchObject({ automatic_new_visibility_policy: 3 });
    expect((await phone.hears()).map(({ type, visibility_policy: policy }) => [type, policy])).toEqual([
      ['muted_topics', undefined],
      ['user_topic', 3],
      ['stream', undefined],
      ['message', undefined],
    ]);
    expect(await send(bob, 'second')).not.toHaveProperty('automatic_new_visibility_policy');
    expect(await send(alice, 'third')).not.toHaveProperty('automatic_new_visibility_policy');
  });

  test('does not follow it for whoever was a moment later than its first sender', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    const first = await send(alice, 'first');
    const { sql } = await getWorld();
    const isWaitedFor = async (pid: number) =>
      (await sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`).length > 0;
    const sending: Promise<Json>[] = [];
    await sql.begin(async (tx) => {
      const [row] = await tx<{ topicId: number; pid: number }[]>`
        insert into topics (realm_id, channel_id, name) values (${alice.realm.id}, ${id}, 'lunch')
        returning id as "topicId", pg_backend_pid() as pid`;
      if (!row) throw new Error('There is no topic.');
      await tx`update messages set topic_id = ${row.topicId} where realm_id = ${alice.realm.id} and id = ${first.id}`;
      sending.push(send(bob, 'second', { topic: 'lunch' }));
      await vi.waitUntil(() => isWaitedFor(row.pid), { timeout: 60_000 });
    });
    expect(await Promise.all(sending)).toEqual([
      expect.not.objectContaining({ automatic_new_visibility_policy: expect.anything() }),
    ]);
  });

  test('unmutes it in a muted channel, or follows it, as its sender has set', async () => {
    const { alice, bob, carol, bot } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob, carol]);
    await send(alice, 'first');
    await succeed(bob.patch(`/users/me/subscriptions/${id}`, { property: 'is_muted', value: true }));
    expect(await send(bob, 'x')).toMatchObject({ automatic_new_visibility_policy: 2 });
    expect(await send(bob, 'x')).not.toHaveProperty('automatic_new_visibility_policy');
    await set(carol, { automatically_follow_topics_policy: 2 });
    expect(await send(carol, 'x')).toMatchObject({ automatic_new_visibility_policy: 3 });
    await set(alice, { automatically_follow_topics_policy: 4 });
    expect(await send(alice, 'x', { topic: 'new' })).not.toHaveProperty('automatic_new_visibility_policy');
    expect(await send(bot, 'x', { topic: 'newer' })).not.toHaveProperty('automatic_new_visibility_policy');
  });

  test('follows it for those it mentions, unless they do not want that', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    await set(carol, { automatically_follow_topics_where_mentioned: false });
    const [his, hers] = [await bob.listen(), await carol.listen()];
    await send(alice, '@**Bob** @**Carol**');
    expect((await his.hears()).map(({ type }) => type)).toContain('user_topic');
    expect((await hers.hears()).map(({ type }) => type)).not.toContain('user_topic');
  });

  test('is one message, however often it is retried, also when it brings more along', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const phone = await bob.listen({ event_types: ['message'] });
    const echo = { queue_id: 'q', local_id: '1' };
    const ids = await Promise.all([1, 2, 3].map(async () => (await send(alice, '@**Bob**', echo)).id));
    expect(new Set(ids).size).toBe(1);
    expect(await phone.hears()).toHaveLength(1);
  });
});

describe('what a message is to those who receive it', () => {
  test('alert words flag it for whoever has them', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    for (const who of [bob, carol]) {
      await succeed(who.post('/users/me/alert_words', { alert_words: ['Lunch'] }));
    }
    expect(await flagsHeardBy([alice, bob], () => send(alice, 'lunch?'))).toEqual([[], ['has_alert_word']]);
    expect(await flagsFetchedBy(bob)).toEqual(['has_alert_word']);
    expect(await countFlags({ person: carol })).toBe(0);
  });

  test('a user who mutes the sender has read the message as it comes', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await succeed(bob.post(`/users/me/muted_users/${alice.id}`));
    expect(await flagsHeardBy([bob], () => send(alice, 'x'))).toEqual([['read']]);
    expect(await flagsFetchedBy(bob)).toEqual(['read']);
  });
});

describe('sending is refused', () => {
  const direct = (by: Person, to: Person) =>
    by.post('/messages', { type: 'direct', to: [to.id], content: 'x' });

  test('a message without a topic is refused where there must be one, and one with a topic where there must be none', async () => {
    const home = await realm();
    const { owner, alice } = home;
    const id = await emptyChannel(alice, 'news');
    await succeed(owner.patch('/realm', { topics_policy: 'disable_empty_topic' }));
    const refused = { code: 'BAD_REQUEST', empty_topic_display_name: 'general chat' };
    expect(await send(alice, 'x', { topic: '' })).toMatchObject(refused);
    await succeed(owner.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' }));
    expect(await send(alice, 'x')).toMatchObject(refused);
    expect(await send(alice, 'x', { topic: '(no topic)' })).toMatchObject({ result: 'success' });
  });

  test('among people who may have no direct messages, but never with bots', async () => {
    const home = await realm();
    const { alice, bob, admin, bot } = home;
    await permit(home, 'direct_message_permission_group', 'role:administrators');
    expect(await direct(alice, bob)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: expect.stringContaining('permission allows it'),
    });
    for (const [by, to] of [
      [alice, admin],
      [admin, alice],
      [alice, bot],
      [bot, alice],
    ] as const) {
      expect(await direct(by, to)).toMatchObject({ result: 'success' });
    }
    await permit(home, 'direct_message_permission_group', 'role:nobody');
    expect(await direct(alice, admin)).toMatchObject({ msg: expect.stringContaining('turned off') });
  });

  test('a message to people with whom one may not begin is refused until they have begun', async () => {
    const home = await realm();
    const { alice, admin } = home;
    await permit(home, 'direct_message_initiator_group', 'role:administrators');
    expect(await direct(alice, admin)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: expect.stringContaining('start'),
    });
    await direct(admin, alice);
    expect(await direct(alice, admin)).toMatchObject({ result: 'success' });
  });

  test('a message is refused where posting is for others, unless the bot’s owner may', async () => {
    const home = await realm();
    const { alice, owner, bot } = home;
    const id = await createChannel(owner, 'news', [owner, alice, bot]);
    await permit(home, 'can_send_message_group', 'role:owners', id);
    expect(await send(alice, 'x')).toMatchObject({
      code: 'BAD_REQUEST',
      msg: expect.stringContaining('post'),
    });
    expect(await send(owner, 'x')).toMatchObject({ result: 'success' });
    expect(await send(bot, 'x')).toMatchObject({ result: 'success' });
  });
});
