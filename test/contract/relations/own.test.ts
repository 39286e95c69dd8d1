import { describe, expect, test } from 'vitest';

import { type Json, type Person, createChannel, outcomeOf, realm, succeed } from '../../support/index.ts';
import { heardOf, stateOf } from './heard.ts';

const note = { type: '', to: [] as number[], topic: '', content: 'note' };

const draft = async (by: Person, one: object = {}): Promise<number> =>
  (await succeed(by.post('/drafts', { drafts: [{ ...note, ...one }] }))).ids[0];

const draftsOf = async (by: Person): Promise<Json[]> => (await by.get('/drafts')).drafts;

const snippet = async (by: Person, title = 'hi', content = 'hello'): Promise<number> =>
  (await succeed(by.post('/saved_snippets', { title, content }))).saved_snippet_id;

const snippetsOf = async (by: Person): Promise<Json[]> => (await by.get('/saved_snippets')).saved_snippets;

describe('4.12 POST /drafts', () => {
  test('ids of drafts are answered in the order in which the drafts were sent', async () => {
    const { alice } = await realm();
    const sent = ['one', 'two', 'three'].map((content) => ({ ...note, content }));
    const { ids } = await succeed(alice.post('/drafts', { drafts: sent }));
    const contents = new Map((await draftsOf(alice)).map(({ id, content }) => [id, content]));
    expect(ids.map((id: number) => contents.get(id))).toEqual(['one', 'two', 'three']);
  });

  test('a draft that cannot be keeps all drafts of its request from being kept', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    const drafts = [note, { ...note, type: 'stream', topic: 't' }];
    expect(await alice.post('/drafts', { drafts })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await draftsOf(alice)).toEqual([]);
    expect(await phone.hears()).toEqual([]);
  });

  test.each([0, 1, 2])('a draft for a channel names one channel: with %i', async (count) => {
    const { alice } = await realm();
    const news = await createChannel(alice, 'news');
    const drafts = [{ ...note, type: 'stream', topic: 't', to: Array<number>(count).fill(news) }];
    const reply = await alice.post('/drafts', { drafts });
    expect(reply.result === 'success').toBe(count === 1);
  });

  test.each([
    ['topic', 'of a draft for a channel'],
    ['content', 'of any draft'],
  ])('the %s %s has no null byte', async (name) => {
    const { alice } = await realm();
    const news = await createChannel(alice, 'news');
    const drafts = [{ ...note, type: 'stream', topic: 't', to: [news], [name]: 'a\0b' }];
    expect(await alice.post('/drafts', { drafts })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await draftsOf(alice)).toEqual([]);
  });

  test.each(['private', ''])('a topic is nothing to a draft of the type “%s”', async (type) => {
    const { alice, bob } = await realm();
    await draft(alice, { type, to: type === '' ? [] : [bob.id], topic: 'lunch' });
    expect(await draftsOf(alice)).toMatchObject([{ type, topic: '' }]);
  });

  test('recipients are nothing to a draft that is not addressed', async () => {
    const { alice, bob } = await realm();
    await draft(alice, { type: '', to: [bob.id] });
    expect(await draftsOf(alice)).toMatchObject([{ type: '', to: [] }]);
  });

  test('a draft without a time has the time at which it came, and one with a time keeps its seconds', async () => {
    const { alice } = await realm();
    const before = Math.floor(Date.now() / 1000);
    await draft(alice);
    await draft(alice, { timestamp: 1_700_000_000.75 });
    const [kept, given] = (await draftsOf(alice)).map(({ timestamp }) => timestamp);
    expect(kept).toBe(1_700_000_000);
    expect(given).toBeGreaterThanOrEqual(before);
    expect(Number.isInteger(given)).toBe(true);
  });

  test('drafts are told to each client of their owner and to nobody else', async () => {
    const { alice, bob } = await realm();
    const [phone, laptop, his] = [await alice.listen(), await alice.listen(), await bob.listen()];
    const id = await draft(alice);
    for (const own of [phone, laptop]) {
      expect(await own.hears()).toMatchObject([{ type: 'drafts', op: 'add', drafts: [{ id }] }]);
    }
    expect(await his.hears()).toEqual([]);
  });
});

describe('4.11 PATCH /drafts/:draft_id', () => {
  test('a draft is edited without its id in it', async () => {
    const { alice } = await realm();
    const id = await draft(alice);
    const edit = (one: object) => alice.patch(`/drafts/${id}`, { draft: one });
    expect(await edit({ ...note, id, content: 'x' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(outcomeOf(await edit({ ...note, content: 'x' }))).toBe('ok');
  });

  test('a draft of somebody else is as one that does not exist', async () => {
    const { alice, bob } = await realm();
    const id = await draft(alice);
    const edit = (one: number) => bob.patch(`/drafts/${one}`, { draft: { ...note, content: 'mine' } });
    const refusal = await edit(id);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    expect(refusal).toEqual(await edit(2_000_000_000));
    expect(await draftsOf(alice)).toMatchObject([{ content: 'note' }]);
  });

  test('an edit of a draft is told to its owner’s other client with the draft as it is now', async () => {
    const { alice } = await realm();
    const id = await draft(alice);
    const phone = await alice.listen();
    await succeed(alice.patch(`/drafts/${id}`, { draft: { ...note, content: 'new' } }));
    expect(await heardOf(phone, 'drafts')).toMatchObject([
      { op: 'update', draft: (await draftsOf(alice))[0] },
    ]);
  });
});

describe('4.18 POST /saved_snippets', () => {
  test.each(['title', 'content'])('a snippet with an empty %s is not saved', async (name) => {
    const { alice } = await realm();
    for (const empty of ['', ' \n']) {
      const params = { title: 'hi', content: 'hello', [name]: empty };
      expect(await alice.post('/saved_snippets', params)).toMatchObject({ code: 'BAD_REQUEST' });
    }
    expect(await snippetsOf(alice)).toEqual([]);
  });

  test('snippets are listed in the order in which they were saved, to their owner alone', async () => {
    const { alice, bob } = await realm();
    const ids = [await snippet(alice, 'b'), await snippet(alice, 'a')];
    expect((await snippetsOf(alice)).map(({ id }) => id)).toEqual(ids);
    expect((await stateOf(bob, 'saved_snippets')).saved_snippets).toEqual([]);
  });
});

describe('4.17 PATCH /saved_snippets/:saved_snippet_id', () => {
  test.each(['title', 'content'])('a new %s leaves the other part of a snippet as it was', async (name) => {
    const { alice } = await realm();
    const id = await snippet(alice);
    await succeed(alice.patch(`/saved_snippets/${id}`, { [name]: 'new' }));
    expect(await snippetsOf(alice)).toMatchObject([{ title: 'hi', content: 'hello', [name]: 'new' }]);
  });

  test('a snippet of somebody else is as one that does not exist', async () => {
    const { alice, bob } = await realm();
    const id = await snippet(alice);
    const edit = (one: number) => bob.patch(`/saved_snippets/${one}`, { title: 'mine' });
    const refusal = await edit(id);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    expect(refusal).toEqual(await edit(2_000_000_000));
    expect(await snippetsOf(alice)).toMatchObject([{ title: 'hi' }]);
  });

  test('a snippet that stays as it is is told to nobody, and one that changes to its owner’s clients', async () => {
    const { alice, bob } = await realm();
    const id = await snippet(alice);
    const [phone, his] = [await alice.listen(), await bob.listen()];
    await succeed(alice.patch(`/saved_snippets/${id}`, { title: 'hi' }));
    expect(await phone.hears()).toEqual([]);
    await succeed(alice.patch(`/saved_snippets/${id}`, { title: 'ho' }));
    expect(await phone.hears()).toMatchObject([
      { type: 'saved_snippets', op: 'update', saved_snippet: { id, title: 'ho', content: 'hello' } },
    ]);
    expect(await his.hears()).toEqual([]);
  });
});

describe('4.16 PATCH /navigation_views/:fragment', () => {
  const add = (by: Person, fragment: string, name?: string) =>
    succeed(by.post('/navigation_views', { fragment, is_pinned: true, name }));
  const viewsOf = async (by: Person): Promise<Json[]> => (await by.get('/navigation_views')).navigation_views;

  test('a built-in view is pinned and never named, and has no name in the list', async () => {
    const { alice } = await realm();
    await add(alice, 'inbox');
    const edit = (change: object) => alice.patch('/navigation_views/inbox', { ...change });
    expect(await edit({ name: 'Mine' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(outcomeOf(await edit({ is_pinned: false }))).toBe('ok');
    expect(await viewsOf(alice)).toEqual([{ fragment: 'inbox', is_pinned: false }]);
  });

  test('a view is found by a fragment with slashes, whether they are encoded or not', async () => {
    const { alice } = await realm();
    await add(alice, 'narrow/is/followed', 'Followed');
    for (const path of ['narrow/is/followed', 'narrow%2Fis%2Ffollowed']) {
      expect(outcomeOf(await alice.patch(`/navigation_views/${path}`, { is_pinned: false }))).toBe('ok');
    }
  });

  test('a view that somebody else has is not found, and stays', async () => {
    const { alice, bob } = await realm();
    await add(alice, 'narrow/is/followed', 'Followed');
    const reply = await bob.patch('/navigation_views/narrow/is/followed', { name: 'Mine' });
    expect(reply).toMatchObject({ code: 'NOT_FOUND' });
    expect(await viewsOf(alice)).toMatchObject([{ name: 'Followed' }]);
  });

  test('an event about a view has what changed alone, and goes to its owner’s clients', async () => {
    const { alice, bob } = await realm();
    await add(alice, 'narrow/is/followed', 'Followed');
    const [phone, his] = [await alice.listen(), await bob.listen()];
    await succeed(alice.patch('/navigation_views/narrow/is/followed', { is_pinned: true, name: 'Mine' }));
    expect((await heardOf(phone, 'navigation_view')).map(({ fragment, data }) => [fragment, data])).toEqual([
      ['narrow/is/followed', { name: 'Mine' }],
    ]);
    expect(await his.hears()).toEqual([]);
  });
});
