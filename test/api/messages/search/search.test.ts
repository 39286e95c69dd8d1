import * as actions from '@parley/actions';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Json, type Person, getWorld, say, subscribe, succeed, tell } from '../../../support/index.ts';
import { seed } from '../../../support/seed.ts';
import { fetchIn, find, newsroom } from '../newsroom.ts';

const send = (by: Person, content: string, topic = 'chat', to = 'news') => say(by, to, topic, content);

/** Lets the realm's next message have an id that is so much higher. */
async function skipIds({ realm }: Person, count: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`update realm_heads set message_id = message_id + ${count} where realm_id = ${realm.id}`;
}

/** Collects the words of all messages that there are. */
async function collect({ realm }: Person): Promise<number> {
  const { engine } = await getWorld();
  for (let steps = 1; ; steps += 1) {
    if (!(await actions.messages.collectTerms(engine.db, { realmId: realm.id })).hasMore) return steps;
  }
}

const search = (who: Person, text: string, more: object = {}) => fetchIn(who, [['search', text]], more);

describe('a typing error', () => {
  test('is corrected where nothing has the word, and the reply says how', async () => {
    const { alice, bob } = await newsroom();
    const id = await send(bob, 'Somebody left an umbrella and some umbrellas');
    for (const written of ['umbrela', 'unbrella', 'mubrella', 'umbrelal']) {
      const reply = await search(alice, written);
      expect(reply, written).toMatchObject({
        messages: [{ id }],
        search_corrections: { [written]: ['umbrella'] },
      });
      expect(reply.messages[0].match_content).toContain('<span class="highlight">umbrella</span>');
    }
    expect(await search(alice, 'umbrella')).not.toHaveProperty('search_corrections');
    const exact = await send(bob, 'umbrela is misspelt');
    expect(await find(alice, ['search', 'umbrela'])).toEqual([exact]);
    expect(await find(alice, ['search', 'umxrexa'])).toEqual([]);
    expect(await find(alice, ['search', 'lefd'])).toEqual([]);
  });

  test('is corrected by what one may read alone', async () => {
    const { alice, bob, carol } = await newsroom();
    await subscribe(alice, 'secret', [alice], { invite_only: true });
    await send(alice, 'the zeppelin has landed', 'plans', 'secret');
    expect(await find(alice, ['search', 'zeppelyn'])).toHaveLength(1);
    for (const who of [bob, carol]) {
      const reply = await search(who, 'zeppelyn');
      expect(reply.messages).toEqual([]);
      expect(reply).not.toHaveProperty('search_corrections');
    }
  });

  test('is corrected in what one has received, though a channel that one is not in has the word as it is written', async () => {
    const { alice, bob } = await newsroom();
    const id = await send(bob, 'Somebody left an umbrella and some umbrellas');
    await subscribe(bob, 'elsewhere', [bob]);
    const exact = await send(bob, 'umbrela is misspelt', 'chat', 'elsewhere');
    expect(await search(alice, 'umbrela')).toMatchObject({
      messages: [{ id }],
      search_corrections: { umbrela: ['umbrella'] },
    });
    const inPublic = await fetchIn(alice, [
      ['channels', 'public'],
      ['search', 'umbrela'],
    ]);
    expect(inPublic).toMatchObject({ messages: [{ id: exact }] });
    expect(inPublic).not.toHaveProperty('search_corrections');
    // So it is beside another word, of which the reader finds messages: that one stands as it was written.
    const atLunch = await send(bob, 'The umbrella and the other umbrellas are still here after lunch');
    await send(bob, 'Lunchtime');
    expect(await search(alice, 'umbrela lunch')).toMatchObject({
      messages: [{ id: atLunch }],
      search_corrections: { umbrela: ['umbrella'] },
    });
  });

  test('is corrected for who reads, and changes no flags', async () => {
    const { alice, bob } = await newsroom();
    await send(bob, 'the last umbrella');
    const range = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['search', 'umbrela']] };
    const changed = await succeed(
      alice.post('/messages/flags/narrow', { ...range, op: 'add', flag: 'starred' }),
    );
    expect(changed).toMatchObject({ processed_count: 0, updated_count: 0 });
    expect(await find(alice, ['is', 'starred'])).toEqual([]);
  });

  test('may be at both ends of a long word, and of words that were collected long ago', async () => {
    const { alice, bob } = await newsroom();
    const id = await send(bob, 'our konfiguration file');
    await collect(alice);
    for (const written of ['xonfiguratiox', 'konfiguratoin', 'cofiguration']) {
      expect(await find(alice, ['search', written]), written).toEqual([id]);
    }
  });
});

describe('words', () => {
  test('are found by their beginning from five letters on, or with an asterisk', async () => {
    const { alice, bob } = await newsroom();
    const [long, short] = [await send(bob, 'authentication'), await send(bob, 'an author')];
    expect(await find(alice, ['search', 'authe'])).toEqual([long]);
    expect(await find(alice, ['search', 'auth'])).toEqual([long, short]);
    const exact = await send(bob, 'auth is broken');
    expect(await find(alice, ['search', 'auth'])).toEqual([exact]);
    expect(await find(alice, ['search', 'auth*'])).toEqual([long, short, exact]);
  });

  test.each([
    ['they are new', false],
    ['they were collected', true],
  ])(
    'are found by their ending with an asterisk, or where nobody has the word itself, when %s',
    async (_, isOld) => {
      const { alice, bob } = await newsroom();
      const long = await send(bob, 'our database is down');
      if (isOld) await collect(alice);
      expect(await find(alice, ['search', 'base'])).toEqual([long]);
      expect(await find(alice, ['search', 'bas'])).toEqual([]);
      const exact = await send(bob, 'the base is ready');
      if (isOld) await collect(alice);
      expect(await find(alice, ['search', 'base'])).toEqual([exact]);
      expect(await find(alice, ['search', '*base'])).toEqual([long, exact]);
      expect(await find(alice, ['search', '*base*'])).toEqual([long, exact]);
    },
  );

  test('are found in compounds of German, and in no other words that end alike', async () => {
    const { alice, bob } = await newsroom();
    const alone = await send(bob, 'Die Sitzung ist nicht vor dem Mittag');
    const compound = await send(bob, 'Wann ist die Teamsitzung?');
    await send(bob, 'The xyzsitzung is from the north');
    for (const isOld of [false, true]) {
      if (isOld) await collect(alice);
      expect(await find(alice, ['search', 'Sitzung'])).toEqual([alone, compound]);
    }
  });

  test('are found in all their forms whether or not they have been collected', async () => {
    const { alice, bob } = await newsroom();
    const old = await send(bob, 'deploying it', 'deployments');
    expect(await collect(alice)).toBe(1);
    const young = await send(bob, 'it was deployed');
    const ofTopic = await send(bob, 'x', 'the deploys of today');
    for (const written of ['deploy', 'deploys', 'deployed']) {
      expect(await find(alice, ['search', written]), written).toEqual([old, young, ofTopic]);
    }
    await collect(alice);
    expect(await find(alice, ['search', 'deploys'])).toEqual([old, young, ofTopic]);
  });

  test('are found at once where a message was edited or a topic has a new name, and the old ones no more', async () => {
    const { admin, alice, bob } = await newsroom();
    const id = await send(bob, 'about horses', 'animals');
    await collect(alice);
    await succeed(bob.patch(`/messages/${id}`, { content: 'about bicycles' }));
    expect(await find(alice, ['search', 'bicycle'])).toEqual([id]);
    expect(await find(alice, ['search', 'horse'])).toEqual([]);
    await succeed(
      admin.patch(`/messages/${id}`, { topic: 'vehicles', send_notification_to_new_thread: false }),
    );
    expect(await find(alice, ['search', 'vehicle'])).toEqual([id]);
    expect(await find(alice, ['search', 'animal'])).toEqual([]);
    await succeed(admin.delete(`/messages/${id}`));
    expect(await find(alice, ['search', 'bicycle'])).toEqual([]);
  });

  test('are found in languages without spaces where they stand together alone', async () => {
    const { alice, bob } = await newsroom();
    await send(bob, '京都から東京へ');
    const id = await send(bob, '東京都の天気');
    expect(await find(alice, ['search', '東京都'])).toEqual([id]);
  });

  test('have the forms of a language only in messages that are written in it', async () => {
    const { alice, bob } = await newsroom();
    const german = await send(bob, 'Die Häuser sind nicht alt');
    await send(bob, 'The hausers are from the north');
    expect(await find(alice, ['search', 'Haus'])).toEqual([german]);
  });

  test('are found in names of topics, whole or in part', async () => {
    const { alice, bob } = await newsroom();
    const id = await send(bob, 'x', 'zebra crossings');
    expect(await find(alice, ['search', 'zebra crossing'])).toEqual([id]);
    expect(await find(alice, ['search', '"bra cross"'])).toEqual([id]);
  });
});

test('a search finds the same messages, each once, whatever the pages, the gaps between ids and the order', async () => {
  const { alice, bob } = await newsroom();
  const gaps = [0, 1, 500, 1023, 1024, 3000, 65_536, 200_000, 4_194_304, 9_000_000];
  const random = fc.sample(
    fc.tuple(fc.constantFrom(...gaps), fc.constantFrom('tea', 'coffee', 'tea and coffee')),
    {
      numRuns: 40,
      seed,
    },
  );
  const all: { id: number; text: string }[] = [];
  for (const [gap, text] of random) {
    await skipIds(alice, gap);
    all.push({ id: await send(bob, text), text });
  }
  const expected = (word: string) => all.filter(({ text }) => text.includes(word)).map(({ id }) => id);
  for (const word of ['tea', 'coffee', 'and']) {
    expect(await find(alice, ['search', word])).toEqual(expected(word));
    expect(await find(alice, ['channel', 'news'], ['search', word], ['sender', bob.id])).toEqual(
      expected(word),
    );
    for (const size of [1, 7]) expect(await pagesOf(alice, word, size)).toEqual(expected(word));
  }
  const oldest = await search(alice, 'tea', { anchor: 'oldest', num_before: 0, num_after: 3 });
  expect(oldest.messages.map(({ id }: Json) => id)).toEqual(expected('tea').slice(0, 3));
});

/** Says a word in a private channel, which keeps what was said before one came, and then so many times more. */
async function sayOften(by: Person, word: string, count = 51_000): Promise<void> {
  const { sql } = await getWorld();
  const realmId = by.realm.id;
  await subscribe(by, 'secret', [by], { invite_only: true, history_public_to_subscribers: false });
  const secret = await send(by, word, 'topic', 'secret');
  await sql`
    with head as (
      update realm_heads set message_id = message_id + ${count} where realm_id = ${realmId} returning message_id - ${count}::int as id
    )
    insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
      rendered_content, rendered_version, client, has_link, has_image, has_attachment, read_by)
    select head.id + n, m.realm_id, m.conversation_id, 1000 + n, m.channel_id, m.topic_id, m.sender_id, m.sent_at, m.content,
      m.rendered_content, m.rendered_version, m.client, false, false, false, m.read_by
    from messages m, head, generate_series(1, ${count}::int) n where m.realm_id = ${realmId} and m.id = ${secret}`;
  await sql`
    update conversation_heads set ordinal = 1000 + ${count} where realm_id = ${realmId}
      and conversation_id = (select conversation_id from messages where realm_id = ${realmId} and id = ${secret})`;
  await sql`select merge_search_indexes()`;
}

test.each([
  { channels: 1, count: 51_000 },
  { channels: 80, count: 3000 },
])(
  'a search passes over what others alone may read, for a reader of $channels channels',
  async ({ channels, count }) => {
    const { alice, bob, carol } = await newsroom();
    const names = Array.from({ length: channels }, (_, index) => `open ${index}`);
    await succeed(
      bob.post('/users/me/subscriptions', {
        subscriptions: names.map((name) => ({ name })),
        principals: [alice.id, bob.id],
      }),
    );
    const older = [await send(bob, 'tea for you', 'chat', 'open 0'), await tell(bob, [alice], 'green tea')];
    await tell(bob, [carol], 'tea for two');
    await sayOften(bob, 'tea', count);
    const newer = [await send(bob, 'more tea'), await tell(bob, [alice], 'black tea')];
    const messages = [...older, ...newer].map((id) => ({ id }));
    expect(await search(alice, 'tea', { num_before: 10 })).toMatchObject({ messages, found_oldest: true });
  },
);

test('a search in which a channel had the word fifty thousand times before one came answers with what it has found, and goes on', async () => {
  const { alice, bob } = await newsroom();
  const first = await send(bob, 'tea for you');
  await sayOften(bob, 'tea');
  await subscribe(bob, 'secret', [alice]);
  const last = await send(bob, 'more tea');
  const newest = await search(alice, 'tea', { num_before: 10 });
  expect(newest).toMatchObject({ messages: [{ id: last }], found_oldest: false });
  const older = await search(alice, 'tea', { anchor: last, num_before: 10, include_anchor: false });
  expect(older).toMatchObject({ messages: [{ id: first }], found_oldest: true });
});

test('the newest messages are found where a word is suddenly in more of them than a search looks at in one portion', async () => {
  const { alice, bob } = await newsroom();
  await sayOften(alice, 'tea', 17_000);
  // Portions without the word, of which each next one is larger.
  for (const gap of [70_000, 10_000]) {
    await skipIds(alice, gap);
    await send(bob, 'coffee');
  }
  const idsOf = ({ messages }: Json) => messages.map(({ id }: Json) => id);
  const last = idsOf(await fetchIn(alice, [['channel', 'secret']], { num_before: 5 }));
  expect(idsOf(await search(alice, 'tea', { num_before: 5 }))).toEqual(last);
});

/** The ids of what is found from the newest to the oldest, in pages of a size. */
async function pagesOf(who: Person, word: string, size: number): Promise<number[]> {
  const ids: number[] = [];
  for (let anchor: number | string = 'newest'; ; anchor = ids[0] ?? 0) {
    const page = await search(who, word, { anchor, num_before: size, include_anchor: false });
    ids.unshift(...page.messages.map(({ id }: Json) => id));
    if (page.found_oldest) return ids;
  }
}
