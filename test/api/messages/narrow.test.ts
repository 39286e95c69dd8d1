import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  countQueries,
  emptyChannel,
  getWorld,
  realm,
  say,
  setSentAt,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { fetchIn, find } from './newsroom.ts';

const send = (by: Person, content: string, topic = 't', to = 'news') => say(by, to, topic, content);

const not = (operator: string, operand: Json) => ({ operator, operand, negated: true });

describe('search', () => {
  async function place() {
    const home = await realm();
    const { alice, bob } = home;
    await subscribe(alice, 'news', [alice, bob]);
    const ids = {
      running: await send(bob, 'She runs <fast> & far', 'sports'),
      lunch: await send(bob, 'What is for lunch today?', 'food'),
      topic: await send(bob, 'nothing else', 'running shoes'),
      mixed: await send(bob, 'lunch', 'running club'),
      direct: (await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'run!' })).id,
    };
    return { ...home, ids };
  }

  test('finds words in any of their forms, in content and topic together', async () => {
    const { alice, ids } = await place();
    expect(await find(alice, ['search', 'running'])).toEqual([ids.running, ids.topic, ids.mixed, ids.direct]);
    expect(await find(alice, ['search', 'run lunches'])).toEqual([ids.mixed]);
    expect(await find(alice, ['search', 'run'], ['search', 'lunch'])).toEqual([ids.mixed]);
    expect(await find(alice, ['search', 'the'])).toEqual([]);
    expect(await find(alice, ['search', 'xylophone'])).toEqual([]);
    expect(await find(alice, ['search', 'run'], not('topic', 'sports'))).toEqual([
      ids.topic,
      ids.mixed,
      ids.direct,
    ]);
    expect(await find(alice, not('search', 'run'), ['channel', 'news'])).toEqual([ids.lunch]);
  });

  test('takes what is quoted literally, whatever its case', async () => {
    const { alice, ids } = await place();
    expect(await find(alice, ['search', '"FOR lunch"'])).toEqual([ids.lunch]);
    expect(await find(alice, ['search', '"runs far"'])).toEqual([]);
    expect(await find(alice, ['search', '"ning sho"'])).toEqual([ids.topic]);
    expect(await find(alice, ['search', '"100%"'])).toEqual([]);
  });

  test('marks what it found, in HTML that holds no other markup than before', async () => {
    const { alice } = await place();
    const { messages } = await fetchIn(alice, [['search', 'run']]);
    expect(messages[0]).toMatchObject({
      match_content: '<p>She <span class="highlight">runs</span> &lt;fast&gt; &amp; far</p>',
      match_subject: 'sports',
    });
    expect(messages[1]).toMatchObject({ match_subject: '<span class="highlight">running</span> shoes' });
    expect((await fetchIn(alice, [])).messages[0]).not.toHaveProperty('match_content');
  });

  test('finds nothing that one may not read', async () => {
    const { alice, carol } = await place();
    await subscribe(alice, 'secret', [alice], { invite_only: true });
    await send(alice, 'running away', 'running', 'secret');
    expect(await find(carol, ['search', 'running'])).toEqual([]);
    expect(await find(carol, ['channels', 'public'], ['search', 'running'])).toHaveLength(3);
  });

  test('takes any text for words', async () => {
    const { alice } = await place();
    for (const text of [
      "'",
      '"',
      '""',
      '\\',
      '%',
      ':*',
      '& | !',
      '(',
      '<b>',
      'a'.repeat(2000),
      '"a" "b" c',
    ]) {
      expect(await fetchIn(alice, [['search', text]]), text).toMatchObject({ result: 'success' });
    }
  });
});

describe('a narrow of many terms', () => {
  test('costs as many statements as one of few', async () => {
    const { alice, bob } = await realm();
    const { databaseUrl, startApi } = await getWorld();
    await subscribe(alice, 'news', [alice, bob]);
    await using counter = await countQueries(databaseUrl);
    await using api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
    async function count(narrow: Json[]): Promise<number> {
      const params = { anchor: 'newest', num_before: 10, narrow };
      const counts: number[] = [];
      // What a node asks now and then by itself may come between.
      for (let time = 0; time < 5; time += 1) {
        counter.take();
        const reply = await alice.ask('GET', '/messages', params, { port: api.port });
        expect(reply.body).toMatchObject({ result: 'success' });
        counts.push(counter.take().queries);
      }
      return Math.min(...counts);
    }
    const term = (index: number) => [
      not('search', `word${index} "phrase ${index % 3}"`),
      not('channel', 'news'),
      not('sender', [alice, bob][index % 2]?.id),
      not('dm', [bob.id]),
    ];
    await count(term(0));
    const few = await count(term(0));
    expect(await count(Array.from({ length: 25 }, (_, index) => term(index)).flat())).toBe(few);
  });

  test('names and searches for so much and no more', async () => {
    const { alice } = await realm();
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
    const phrases = (count: number) => Array.from({ length: count }, (_, index) => `"w ${index}"`).join(' ');
    expect(await find(alice, ['search', `${words(50)} ${phrases(10)}`])).toEqual([]);
    for (const narrow of [
      [['search', words(51)]],
      [['search', phrases(11)]],
      [not('search', words(30)), not('search', `x${words(30).replaceAll('w', 'x')}`)],
      [['search', 'x'.repeat(5001)]],
      [
        ['sender', Array.from({ length: 600 }, (_, id) => `a${id}@b.c`).join(',')],
        ['dm', words(600).replaceAll(' ', ',')],
      ],
    ]) {
      expect(await fetchIn(alice, narrow)).toMatchObject({ code: 'BAD_NARROW' });
    }
    for (const narrow of [
      Array.from({ length: 101 }, () => ['is', 'dm']),
      [['topic', 'x'.repeat(10_001)]],
      [['dm', Array.from({ length: 1001 }, () => alice.id)]],
    ]) {
      expect(await fetchIn(alice, narrow)).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });
});

describe('a channel', () => {
  test('is named by its id, or by its name in whatever case', async () => {
    const { alice, bob } = await realm();
    const [id, other] = [await emptyChannel(alice, 'News', [bob]), await emptyChannel(bob, 'İş', [bob])];
    // A name that is the other’s id is no id.
    await emptyChannel(bob, String(other), [bob]);
    const [mine, his] = [await send(bob, 'x', 't', 'News'), await send(bob, 'x', 't', 'İş')];
    for (const operand of [id, 'News', 'nEWS'])
      expect(await find(alice, ['channel', operand])).toEqual([mine]);
    for (const operand of [other, 'İş', 'İŞ']) expect(await find(alice, ['channel', operand])).toEqual([his]);
    expect(await find(alice, not('channel', 'news'), ['channel', other])).toEqual([his]);
    for (const operand of ['nowhere', '', -1, 0, 2 ** 40]) {
      const refusal = { code: 'BAD_NARROW', desc: `there is no channel '${operand}'` };
      expect(await fetchIn(alice, [['channel', operand]])).toMatchObject(refusal);
      expect(await fetchIn(alice, [not('channel', 'news'), ['channel', operand]])).toMatchObject(refusal);
    }
  });
});

describe('with', () => {
  test('stands for the conversation that its message is in', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const ids = [await send(bob, '1'), await send(bob, '2', 'other'), await send(bob, '3')];
    const id = await tell(bob, [alice]);
    await tell(carol, [alice]);
    expect(await find(alice, ['with', ids[0]])).toEqual([ids[0], ids[2]]);
    expect(await find(alice, ['channel', 'nowhere'], ['topic', 'old'], ['with', ids[0]])).toEqual([
      ids[0],
      ids[2],
    ]);
    expect(await find(alice, ['with', id])).toEqual([id]);
  });

  test('is passed over where the rest says enough, and refused where it does not, or comes twice', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice]);
    const mine = await send(alice, '1');
    const his = await tell(bob, [bob]);
    expect(await find(alice, ['channel', 'news'], ['topic', 't'], ['with', his])).toEqual([mine]);
    expect(await fetchIn(alice, [['with', his]])).toMatchObject({ code: 'BAD_NARROW' });
    expect(
      await fetchIn(alice, [
        ['with', mine],
        ['with', mine],
      ]),
    ).toMatchObject({
      code: 'BAD_NARROW',
      desc: expect.stringContaining('Duplicate'),
    });
  });
});

describe('what is one’s own', () => {
  test('is found by flag: starred, mentioned, alerted, unread', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await alice.post('/users/me/alert_words', { alert_words: ['lunch'] });
    const [plain, mention, all, alert] = [
      await send(bob, 'x'),
      await send(bob, '@**Alice**'),
      await send(bob, '@**all**'),
      await send(bob, 'lunch'),
    ];
    await alice.post('/messages/flags', { op: 'add', flag: 'starred', messages: [plain, alert] });
    await alice.post('/messages/flags', { op: 'add', flag: 'read', messages: [plain, mention] });
    expect(await find(alice, ['is', 'starred'])).toEqual([plain, alert]);
    expect(await find(alice, ['is', 'mentioned'])).toEqual([mention, all]);
    expect(await find(alice, ['is', 'alerted'])).toEqual([alert]);
    expect(await find(alice, ['is', 'unread'])).toEqual([all, alert]);
    expect(await find(alice, not('is', 'unread'))).toEqual([plain, mention]);
    expect(await find(bob, ['is', 'mentioned'])).toEqual([all]);
  });

  test('is found by what one follows and mutes', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await subscribe(alice, 'noise', [alice, bob]);
    const { subscriptions } = await alice.get('/users/me/subscriptions');
    const idOf = (name: string): number => subscriptions.find((one: Json) => one.name === name).stream_id;
    const ids = {
      normal: await send(bob, 'x', 'normal'),
      followed: await send(bob, 'x', 'followed'),
      muted: await send(bob, 'x', 'muted'),
      noise: await send(bob, 'x', 'noise', 'noise'),
      signal: await send(bob, 'x', 'signal', 'noise'),
      tune: await send(bob, 'x', 'tune', 'noise'),
    };
    const data = [{ stream_id: idOf('noise'), property: 'is_muted', value: true }];
    await alice.post('/users/me/subscriptions/properties', { subscription_data: data });
    for (const [channel, topic, visibility_policy] of [
      ['news', 'followed', 3],
      ['news', 'muted', 1],
      ['noise', 'signal', 2],
      ['noise', 'tune', 3],
    ] as const) {
      await alice.post('/user_topics', { stream_id: idOf(channel), topic, visibility_policy });
    }
    expect(await find(alice, ['is', 'followed'])).toEqual([ids.followed, ids.tune]);
    expect(await find(alice, ['is', 'muted'])).toEqual([ids.muted, ids.noise]);
    expect(await find(alice, ['in', 'home'])).toEqual([ids.normal, ids.followed, ids.signal, ids.tune]);
    expect(await find(alice, ['in', 'all'])).toHaveLength(6);
    const types = ['message', 'update_message_flags'];
    const { unread_msgs } = await alice.post('/register', { fetch_event_types: types });
    expect(unread_msgs.count, 'without what is muted').toBe(4);
    const firstUnread = async () => {
      const place = { anchor: 'first_unread', num_after: 0, narrow: [['channel', 'noise']] };
      return (await alice.get('/messages', place)).anchor;
    };
    expect(await firstUnread()).toBe(ids.signal);
    await alice.post('/messages/flags', { messages: [ids.signal], op: 'add', flag: 'read' });
    expect(await firstUnread()).toBe(ids.tune);
  });

  test('reaches back through every conversation, however little of what is said one hears', async () => {
    const { alice, bob, carol, guest } = await realm();
    const first = await tell(alice, [guest]);
    await subscribe(alice, 'news', [alice, bob, carol]);
    await Promise.all(Array.from({ length: 40 }, () => send(bob, 'x')));
    const last = await tell(alice, [guest, bob]);
    expect(await find(guest)).toEqual([first, last]);
    expect(await find(guest, ['is', 'dm'])).toEqual([first, last]);
    expect((await guest.get('/messages', { anchor: 'oldest', num_after: 1 })).messages).toHaveLength(1);
  });
});

describe('the anchor of a date', () => {
  async function place() {
    const home = await realm();
    const { alice, bob } = home;
    await subscribe(alice, 'news', [alice, bob]);
    const ids: number[] = [];
    for (const day of [1, 2, 4]) {
      const id = await send(bob, 'x');
      await setSentAt(alice, id, new Date(`2026-01-0${day}T12:00:00Z`));
      ids.push(id);
    }
    return { ...home, ids };
  }
  const at = (by: Person, anchor_date: string | undefined, more: object = {}): Promise<Json> =>
    by.get('/messages', { anchor: 'date', anchor_date, num_before: 1, num_after: 1, ...more });

  test('is the first message since then', async () => {
    const { alice, ids } = await place();
    expect((await at(alice, '2026-01-02T12:00:00Z')).anchor).toBe(ids[1]);
    expect((await at(alice, '2026-01-02T14:00:00+02:00')).anchor).toBe(ids[1]);
    expect((await at(alice, '2026-01-02T12:00:01')).anchor).toBe(ids[2]);
    expect((await at(alice, '2026-01-03')).anchor).toBe(ids[2]);
    expect((await at(alice, '2020-01-01')).anchor).toBe(ids[0]);
    expect((await at(alice, '2026-01-05')).anchor).toBe(10_000_000_000_000_000);
    const page = await at(alice, '2026-01-02', { narrow: [['channel', 'news']] });
    expect(page).toMatchObject({ found_anchor: true, messages: ids.map((id) => ({ id })) });
  });

  test('needs a date that is one', async () => {
    const { alice } = await place();
    expect(await at(alice, undefined)).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'anchor_date',
    });
    for (const date of ['', 'yesterday', '2026-13-01', '2026-01-01T25:00:00Z', '0']) {
      expect(await at(alice, date), date).toMatchObject({
        code: 'BAD_REQUEST',
        msg: "'anchor_date' must be a date and time in ISO 8601.",
      });
    }
  });
});

test('has:reaction finds the messages that somebody reacted to', async () => {
  const { alice, bob } = await realm();
  const ids = [await tell(alice, [bob]), await tell(alice, [bob]), await tell(alice, [bob])] as const;
  const tada = { emoji_name: 'tada' };
  await succeed(bob.post(`/messages/${ids[0]}/reactions`, tada));
  await succeed(bob.post(`/messages/${ids[2]}/reactions`, tada));
  await succeed(bob.delete(`/messages/${ids[2]}/reactions`, tada));
  expect(await find(alice, { operator: 'has', operand: 'reaction' })).toEqual([ids[0]]);
  expect(await find(alice, { operator: 'has', operand: 'reaction', negated: true })).toEqual(ids.slice(1));
});
