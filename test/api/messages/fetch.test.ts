import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  countQueries,
  emptyChannel,
  fillConversationsOf,
  getWorld,
  realm,
  say,
  subscribe,
  tell,
} from '../../support/index.ts';

const all = { anchor: 'newest', num_before: 1000 };

describe('GET /messages around an anchor', () => {
  async function ten() {
    const people = await realm();
    const ids: number[] = [];
    for (let index = 0; index < 10; index += 1) ids.push(await tell(people.alice, [people.bob], `${index}`));
    return { ...people, ids };
  }

  test('pages through everything, in order, once', async () => {
    const { bob, ids } = await ten();
    const page = (params: Params) => bob.get('/messages', params);
    const at = (index: number) => ids[index] ?? 0;

    const newest = await page({ anchor: 'newest', num_before: 4, num_after: 0 });
    expect(newest).toMatchObject({ found_newest: true, found_oldest: false, found_anchor: false });
    expect(newest.messages.map(({ id }: Json) => id)).toEqual(ids.slice(6));

    const before = await page({ anchor: at(6), num_before: 4, num_after: 0, include_anchor: false });
    expect(before.messages.map(({ id }: Json) => id)).toEqual(ids.slice(2, 6));
    const first = await page({ anchor: at(2), num_before: 4, num_after: 0, include_anchor: false });
    expect(first).toMatchObject({ found_oldest: true, found_anchor: false });
    expect(first.messages.map(({ id }: Json) => id)).toEqual(ids.slice(0, 2));

    const around = await page({ anchor: at(5), num_before: 2, num_after: 2 });
    expect(around).toMatchObject({
      found_anchor: true,
      found_oldest: false,
      found_newest: false,
      anchor: at(5),
    });
    expect(around.messages.map(({ id }: Json) => id)).toEqual(ids.slice(3, 8));

    const oldest = await page({ anchor: 'oldest', num_before: 0, num_after: 3 });
    expect(oldest).toMatchObject({ found_oldest: true, found_newest: false, anchor: 0 });
    expect(oldest.messages.map(({ id }: Json) => id)).toEqual(ids.slice(0, 3));
  });

  test('takes any anchor, however far out', async () => {
    const { bob, ids } = await ten();
    const last = await bob.get('/messages', { anchor: '99999999999999999999', num_before: 1, num_after: 1 });
    expect(last.messages.map(({ id }: Json) => id)).toEqual(ids.slice(9));
    expect(last.anchor).toBe(10_000_000_000_000_000);
    const first = await bob.get('/messages', { anchor: -5, num_before: 1, num_after: 1 });
    expect(first.messages.map(({ id }: Json) => id)).toEqual(ids.slice(0, 1));
    expect(first.anchor).toBe(0);
  });

  test('finds the first unread message, and the end when there is none', async () => {
    const { alice, bob, ids } = await ten();
    const unread = await bob.get('/messages', { anchor: 'first_unread', num_before: 0, num_after: 1 });
    expect(unread.anchor).toBe(ids[0]);
    expect(await bob.get('/messages', { use_first_unread_anchor: true, num_after: 1 })).toEqual(unread);
    for (let index = 0; index < 2; index += 1) {
      await alice.post('/messages', { type: 'direct', to: [alice.id], content: 'x', read_by_sender: true });
    }
    const narrow = [{ operator: 'dm', operand: [alice.id] }];
    const mine = await alice.get('/messages', { anchor: 'first_unread', num_before: 5, narrow });
    expect(mine).toMatchObject({ anchor: 10_000_000_000_000_000, found_newest: true });
    expect(mine.messages).toHaveLength(2);
  });

  test('refuses what it cannot read', async () => {
    const { bob } = await realm();
    const refusal = async (params: object) => {
      const { code, msg } = await bob.get('/messages', { ...params });
      return [code, msg];
    };
    expect(await refusal({})).toEqual(['BAD_REQUEST', "The parameter 'anchor' is missing."]);
    expect(await refusal({ anchor: 'middle' })).toEqual([
      'BAD_REQUEST',
      "The anchor must be the id of a message, or 'newest', 'oldest', 'first_unread' or 'date'.",
    ]);
    expect(await refusal({ anchor: 1, num_before: 2501, num_after: 2500 })).toEqual([
      'BAD_REQUEST',
      'You can request at most 5000 messages at once.',
    ]);
    expect(await refusal({ anchor: 1, num_before: 5001 })).toEqual([
      'BAD_REQUEST',
      'You can request at most 5000 messages at once.',
    ]);
    expect(await refusal({ anchor: 1, num_before: -1 })).toEqual(['BAD_REQUEST', 'num_before is too small.']);
    expect(await refusal({ anchor: 1, include_anchor: false, num_before: 1, num_after: 1 })).toEqual([
      'BAD_REQUEST',
      'The anchor can be left out only at an end of the range.',
    ]);
    expect(await refusal({ anchor: 1, message_ids: [1] })).toEqual([
      'BAD_REQUEST',
      "Send either 'message_ids' or 'anchor', not both.",
    ]);
  });
});

describe('a fetched message', () => {
  test('is what the event said, with the reader’s flags', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const phone = await bob.listen({ event_types: ['message'], client_gravatar: true });
    await alice.ask('POST', '/messages', {
      type: 'channel',
      to: 'news',
      topic: '',
      content: 'a **b**',
      read_by_sender: true,
    });
    await alice.ask('POST', '/messages', { type: 'direct', to: [bob.id], content: '/me waves' });
    const events = await phone.hears();

    const { messages } = await bob.get('/messages', { ...all, apply_markdown: false });
    expect(messages).toEqual(events.map(({ message, flags }) => ({ ...message, flags })));
    expect(messages[1].is_me_message).toBe(true);

    const flagsFor = async (who: Person) => {
      const reply = await who.get('/messages', { ...all, narrow: [['channel', 'news']] });
      return reply.messages.map(({ flags }: Json) => flags);
    };
    expect(await flagsFor(alice)).toEqual([['read']]);
    expect(await flagsFor(bob)).toEqual([[]]);
    expect(await flagsFor(carol), 'it never reached her').toEqual([['read', 'historical']]);
  });

  test('takes the form that the client asks for', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await say(alice, 'news', '', 'a < b');
    const first = async (params: object) => (await bob.get('/messages', { ...all, ...params })).messages[0];
    expect(await first({})).toMatchObject({
      content: '<p>a &lt; b</p>',
      content_type: 'text/html',
      subject: 'general chat',
      avatar_url: null,
    });
    expect(
      await first({ apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true }),
    ).toMatchObject({
      content: 'a < b',
      content_type: 'text/x-markdown',
      subject: '',
      avatar_url: expect.stringContaining('https://'),
    });
  });

  test('can be asked for by its id, alone or in a list', async () => {
    const { alice, bob } = await realm();
    const ids = [await tell(alice, [bob], 'one'), await tell(bob, [alice], 'two')];
    expect(await bob.get(`/messages/${ids[0]}`)).toMatchObject({
      message: { id: ids[0], content: '<p>one</p>' },
      raw_content: 'one',
    });
    expect((await bob.get(`/messages/${ids[0]}`, { apply_markdown: false })).message.content).toBe('one');
    const listed = await bob.get('/messages', { message_ids: [ids[1], ids[0], 2_000_000_000] });
    expect(listed.messages.map(({ id }: Json) => id)).toEqual(ids);
    expect(listed).not.toHaveProperty('anchor');
    expect((await bob.get('/messages', { message_ids: [] })).messages).toEqual([]);
    expect(await bob.get('/messages/99999999999')).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await bob.get('/messages/abc')).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('messages behind thousands of others', () => {
  test('are found: of what one may read, with a reaction, and by a word', async () => {
    const { alice, bob, carol, owner } = await realm();
    await subscribe(alice, 'news', [alice, bob, owner]);
    const early = await say(bob, 'news', 'lunch', 'pancakes');
    const late = await say(bob, 'news', 'lunch', 'pancakes, again');
    for (const id of [early, late]) await alice.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    const page = async (params: Params) => {
      const newest = { anchor: 'newest', num_before: 3, num_after: 0 };
      return (await alice.get('/messages', { ...newest, ...params })).messages.map(({ id }: Json) => id);
    };
    await emptyChannel(carol, 'secret', [carol], { invite_only: true });
    await say(carol, 'secret', 'others', 'noise');
    await fillConversationsOf(carol);
    expect(await page({})).toEqual([early, late]);

    await say(owner, 'news', 'others', 'noise');
    await fillConversationsOf(owner);
    const reacted = ['has', 'reaction'];
    expect(await page({ narrow: [['channel', 'news'], reacted] })).toEqual([early, late]);
    expect(await page({ narrow: [reacted] })).toEqual([early, late]);
    expect(await page({ narrow: [['search', 'pancakes']] })).toEqual([early, late]);
    const after = { anchor: early, num_before: 0, num_after: 3, include_anchor: false };
    expect(await page({ ...after, narrow: [reacted] })).toEqual([late]);
  });
});

describe('what a page costs', () => {
  test.each([
    ['newest', [], 12],
    ['oldest', [], 12],
    ['of a channel', [['channel', 'news']], 13],
    ['around a message', [], 14],
  ] as const)('%s is few statements', async (name, narrow, statementsMax) => {
    const { alice, bob } = await realm();
    const { databaseUrl, startApi } = await getWorld();
    await subscribe(alice, 'news', [alice, bob]);
    for (let index = 0; index < 5; index += 1) await say(bob, 'news', 't');
    const middle = await say(bob, 'news', 't');
    for (let index = 0; index < 5; index += 1) await say(bob, 'news', 't');
    await using counter = await countQueries(databaseUrl);
    await using api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
    const anchor = { 'around a message': middle, oldest: 'oldest' }[name as string] ?? 'newest';
    const params = { anchor, num_before: 2, num_after: 2, narrow };
    const counts: number[] = [];
    // What a node asks now and then by itself may come between.
    for (let time = 0; time < 8; time += 1) {
      counter.take();
      const reply = await alice.ask('GET', '/messages', params, { port: api.port });
      expect(reply.body).toMatchObject({ result: 'success' });
      counts.push(counter.take().queries);
    }
    expect(Math.min(...counts)).toBeLessThanOrEqual(statementsMax);
  });
});
