import * as model from '@parley/model';
import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  countQueries,
  getWorld,
  realm,
  refused,
  repeatMessage,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';

/** HTML as it may be. An author's texts that are so long come seconds apart. */
const html = `<p>${'x'.repeat(200_000)}</p>`;
const bytesMax = 1024 * 1024;

/** Messages of which two or three fill a page. */
async function longHistory(count: number) {
  const { sql } = await getWorld();
  const people = await realm();
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await tell(people.alice, [people.bob], 'x'));
  await sql`update messages set rendered_content = ${html}
    where realm_id = ${people.realm.id} and id = any(${ids})`;
  return { ...people, ids };
}

const lengthOf = (page: Json) => JSON.stringify(page).length;
const idsOf = (page: Json): number[] => page.messages.map(({ id }: Json) => id);

/** Asks on in one direction until the end is found. */
async function pageThrough(who: Person, side: 'num_before' | 'num_after') {
  const [end, start] = side === 'num_before' ? ['found_oldest', 'newest'] : ['found_newest', 'oldest'];
  const pages: Json[] = [];
  for (let anchor: number | string = start; ;) {
    const params: Params = { anchor, num_before: 0, num_after: 0, [side]: 1000, include_anchor: false };
    const page = await succeed(who.get('/messages', params));
    pages.push(page);
    if (page[end]) return pages;
    anchor = (side === 'num_before' ? idsOf(page)[0] : idsOf(page).at(-1)) ?? start;
  }
}

describe('a page of long messages', () => {
  test('is cut by bytes, and whoever asks on gets everything once, in both directions', async () => {
    const { bob, ids } = await longHistory(16);
    for (const side of ['num_before', 'num_after'] as const) {
      const pages = await pageThrough(bob, side);
      expect(pages.length).toBeGreaterThan(1);
      for (const page of pages) expect(lengthOf(page)).toBeLessThan(2 * bytesMax);
      expect(pages.flatMap(idsOf).toSorted((a, b) => a - b)).toEqual(ids);
    }

    const middle = ids[8] ?? 0;
    const around = await succeed(bob.get('/messages', { anchor: middle, num_before: 8, num_after: 7 }));
    expect(around).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
    expect(idsOf(around)).toContain(middle);
    expect(idsOf(around)[0]).toBeLessThan(middle);
    expect(idsOf(around).at(-1)).toBeGreaterThan(middle);

    const several = bob.get('/messages', { message_ids: ids });
    expect(await several).toMatchObject(
      refused('These messages are too large for one reply. Request fewer at once.'),
    );
    expect(idsOf(await succeed(bob.get('/messages', { message_ids: ids.slice(0, 2) })))).toHaveLength(2);
  });

  test.each([
    ['all messages', 0, 1500],
    ['some hundred', 700, 747],
    ['less than four hundred', 2000, 262],
  ])(
    'holds what is nearest to its anchor and fits, however many are asked for: %s',
    async (_, bytes, count) => {
      const { sql } = await getWorld();
      const { alice, realm: home } = await realm();
      await subscribe(alice, 'news');
      const id = await say(alice, 'news', 'chat', 'x');
      await sql`update messages set rendered_content = ${'x'.repeat(bytes)} where realm_id = ${home.id} and id = ${id}`;
      await repeatMessage(alice, id, 1499);
      const narrow = [['channel', 'news']];
      const ask = (params: Params) => succeed(alice.get('/messages', { narrow, ...params }));
      const all = Array.from({ length: 1500 }, (_each, at) => id + at);
      const half = (count - 1) / 2;

      const newest = await ask({ anchor: 'newest', num_before: 2000, num_after: 0 });
      expect(idsOf(newest)).toEqual(all.slice(-count));
      expect(newest).toMatchObject({ found_oldest: count === 1500, found_newest: true });
      const oldest = await ask({ anchor: 'oldest', num_before: 0, num_after: 2000 });
      expect(idsOf(oldest)).toEqual(all.slice(0, count));
      const around = await ask({ anchor: all[750], num_before: 1200, num_after: 1200 });
      expect(idsOf(around)).toEqual(all.slice(Math.max(0, 750 - Math.ceil(half)), 751 + Math.floor(half)));
      const uneven = await ask({ anchor: all[750], num_before: 10, num_after: 1200 });
      expect(idsOf(uneven)).toEqual(all.slice(740, Math.min(740 + count, 1500)));
    },
  );

  test('takes as much from Postgres for five thousand as for four hundred, of which less fit', async () => {
    const { sql, databaseUrl, startApi } = await getWorld();
    const { alice } = await realm();
    const id = await tell(alice, [alice], 'x');
    await sql`update messages set rendered_content = ${'x'.repeat(2000)} where realm_id = ${alice.realm.id} and id = ${id}`;
    await repeatMessage(alice, id, 4999);
    await using counter = await countQueries(databaseUrl);
    await using api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
    const bytesFor = async (count: number) => {
      const params = { anchor: 'newest', num_before: count, num_after: 0 };
      const taken: number[] = [];
      // What a node asks now and then by itself may come between.
      for (let time = 0; time < 5; time += 1) {
        counter.take();
        const { body } = await alice.ask('GET', '/messages', params, { port: api.port });
        expect(idsOf(body)).toHaveLength(262);
        taken.push(counter.take().bytes);
      }
      return Math.min(...taken);
    };
    expect(await bytesFor(5000)).toBeLessThan(1.02 * (await bytesFor(400)));
  });

  test('shows the newest part of a history that is too long', async () => {
    const { sql } = await getWorld();
    const { alice } = await realm();
    const id = await tell(alice, [alice], 'first');
    for (let index = 0; index < 12; index += 1)
      await succeed(alice.patch(`/messages/${id}`, { content: `${index} x` }));
    await sql`update message_edits set prev_rendered_content = ${html}
      where realm_id = ${alice.realm.id} and message_id = ${id}`;
    const { message } = await succeed(alice.get(`/messages/${id}`));
    const shown = message.edit_history.map(({ prev_content }: Json) => prev_content.split(' ')[0]);
    expect(shown.slice(0, 2)).toEqual(['10', '9']);
    expect(shown.length).toBeLessThan(10);
    expect(JSON.stringify(message.edit_history).length).toBeLessThan(2 * bytesMax);
  });
});

test('reads and searches are served in turn by who asks, and replies of reads are measured; writes have no turns', async () => {
  const { alice, bob } = await longHistory(2);
  const taken: { reader: object; length: number }[] = [];
  const searched: { reader: object; reads: number }[] = [];
  const reads = {
    async take<Reply extends { length: number }>(reader: object, read: () => Promise<Reply>) {
      const reply = await read();
      taken.push({ reader, length: reply.length });
      return reply;
    },
    async search<Result>(reader: object, search: () => Promise<Result>) {
      const before = taken.length;
      const result = await search();
      searched.push({ reader, reads: taken.length - before });
      return result;
    },
  };
  await using node = await (await getWorld()).startApi({ reads });
  const ask = (who: Person, method: string, path: string, params: Params = {}) =>
    succeed(who.ask(method, path, params, { port: node.port }).then(({ body }) => body));
  const page = await ask(bob, 'GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 });
  await ask(alice, 'GET', '/users/me/alert_words');
  await ask(alice, 'POST', '/messages', { type: 'direct', to: [bob.id], content: 'x' });
  const of = ({ id }: Person) => ({ key: id, organization: expect.any(Number) });
  expect(taken.map(({ reader }) => reader)).toEqual([of(bob), of(alice)]);
  const [long, short] = taken.map(({ length }) => length);
  expect(long).toBeGreaterThan(300_000);
  expect(long).toBeGreaterThanOrEqual(lengthOf(page.messages));
  expect(short).toBeLessThan(200);

  const narrow = [{ operator: 'search', operand: 'x', negated: true }];
  const around = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
  await ask(bob, 'GET', '/messages', around);
  await ask(bob, 'GET', '/messages/matches_narrow', { msg_ids: [1], narrow });
  await ask(alice, 'POST', '/messages/flags/narrow', { ...around, op: 'add', flag: 'starred' });
  expect(searched).toEqual([
    { reader: of(bob), reads: 1 },
    { reader: of(bob), reads: 1 },
    { reader: of(alice), reads: 0 },
  ]);
});

describe('what is attached to a message', () => {
  test('is at most a hundred different emoji; anyone may join those that are there', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], 'x');
    const names = Object.values(model.emoji.unicodeEmojiNames).map(([name = '']) => name);
    const react = (who: Person, emoji_name = '') => who.post(`/messages/${id}/reactions`, { emoji_name });
    for (const name of names.slice(0, 100)) await succeed(react(alice, name));
    expect(await react(alice, names[100])).toMatchObject(
      refused('This message already has too many different reactions.'),
    );
    await succeed(react(bob, names[0]));
  });

  test('is at most a megabyte of submessages', async () => {
    const { alice } = await realm();
    const { id } = await succeed(
      alice.post('/messages', {
        type: 'direct',
        to: [alice.id],
        content: 'x',
        widget_content: { widget_type: 'zform', extra_data: { type: 'choices', heading: 'h', choices: [] } },
      }),
    );
    const add = () =>
      alice.post('/submessage', { message_id: id, msg_type: 'widget', content: `"${'x'.repeat(9990)}"` });
    let added = 0;
    let reply = await add();
    for (; reply.result === 'success'; reply = await add()) added += 1;
    expect(reply).toMatchObject(refused('This message already has too many answers.'));
    expect(added).toBe(104);
  });
});
