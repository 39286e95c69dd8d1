import { describe, expect, test } from 'vitest';

import { createChannel, done, newest, outcomeOf, realm, refused } from '../support/index.ts';

const note = (content: string) => ({ type: '', to: [], topic: '', content });

describe('drafts', () => {
  test('are created at once, told to the owner’s clients, and listed by their last edit', async () => {
    const { alice, bob } = await realm();
    const channel = await createChannel(alice, 'plans');
    const [phone, other] = [await alice.listen(), await bob.listen()];
    const { ids } = await alice.post('/drafts', {
      drafts: [
        { type: 'stream', to: [channel], topic: 'tea', content: '  ready\n', timestamp: 1_700_000_000.75 },
        { type: 'private', to: [bob.id, alice.id, bob.id], topic: 'ignored', content: 'set' },
        { type: 'private', to: [alice.id], topic: '', content: 'to myself', timestamp: 1_600_000_000 },
        { type: '', to: [bob.id], topic: 'ignored', content: 'go', timestamp: null },
      ],
    });
    const timestamp = expect.any(Number);
    const drafts = [
      { id: ids[0], type: 'stream', to: [channel], topic: 'tea', content: 'ready', timestamp: 1_700_000_000 },
      { id: ids[1], type: 'private', to: [bob.id], topic: '', content: 'set', timestamp },
      {
        id: ids[2],
        type: 'private',
        to: [alice.id],
        topic: '',
        content: 'to myself',
        timestamp: 1_600_000_000,
      },
      { id: ids[3], type: '', to: [], topic: '', content: 'go', timestamp },
    ];
    expect(await phone.hears()).toMatchObject([{ type: 'drafts', op: 'add', drafts }]);
    expect(await other.hears()).toEqual([]);
    const sorted = [drafts[2], drafts[0], drafts[1], drafts[3]];
    expect(await alice.get('/drafts')).toEqual({ ...done, count: 4, drafts: sorted });
    expect((await alice.post('/register', { fetch_event_types: ['drafts'] })).drafts).toEqual(
      sorted.toReversed(),
    );
    expect(await bob.get('/drafts')).toEqual({ ...done, count: 0, drafts: [] });
  });

  test('are replaced and deleted, by their owner alone', async () => {
    const { alice, bob, bot } = await realm();
    const { ids } = await alice.post('/drafts', { drafts: [note('one'), note('two')] });
    const phone = await alice.listen();
    const edit = { type: 'private', to: [bob.id], topic: '', content: 'for you' };
    expect(await alice.patch(`/drafts/${ids[0]}`, { draft: edit })).toEqual(done);
    expect(await alice.delete(`/drafts/${ids[1]}`)).toEqual(done);
    expect(await phone.hears()).toMatchObject([
      { type: 'drafts', op: 'update', draft: { id: ids[0], ...edit } },
      { type: 'drafts', op: 'remove', draft_id: ids[1] },
    ]);
    for (const by of [bob, bot]) {
      const replies = [
        await by.ask('PATCH', `/drafts/${ids[0]}`, { draft: edit }),
        await by.ask('DELETE', `/drafts/${ids[0]}`),
      ];
      for (const { status, body } of replies) {
        expect([status, body]).toEqual([404, refused('This draft does not exist.')]);
      }
    }
    expect((await alice.ask('DELETE', `/drafts/${ids[1]}`)).status).toBe(404);
    expect((await alice.get('/drafts')).drafts).toMatchObject([{ id: ids[0], content: 'for you' }]);
  });

  test('are created all or none, and of none nothing is told', async () => {
    const { alice, bob } = await realm();
    const hidden = await createChannel(bob, 'hidden', [bob], { invite_only: true });
    const phone = await alice.listen();
    const outcome = async (draft: object) =>
      outcomeOf(await alice.post('/drafts', { drafts: [note('fine'), { ...note('x'), ...draft }] }));
    const one = 'Name exactly one channel.';
    expect(await outcome({ type: 'stream', to: [] })).toBe(one);
    expect(await outcome({ type: 'stream', to: [1, 2] })).toBe(one);
    expect(await outcome({ type: 'stream', to: [hidden] })).toBe('This channel does not exist.');
    expect(await outcome({ type: 'private', to: [2_000_000_000] })).toBe(
      'There is no user with the id 2000000000.',
    );
    expect(await outcome({ type: 'channel' })).toBe('drafts[1]["type"] is not valid.');
    expect(await outcome({ content: ' ' })).toBe('drafts[1]["content"] cannot be empty.');
    expect(await outcome({ content: 'a\0' })).toBe('The message contains a null character.');
    expect(await outcome({ type: 'stream', to: [1], topic: '\0' })).toBe(
      'The topic contains a null character.',
    );
    expect(await outcome({ timestamp: -1 })).toBe("'timestamp' cannot be negative.");
    expect(await outcome({ timestamp: 1e300 })).toBe('drafts[1]["timestamp"] is too large.');
    expect(await outcome({ id: 1 })).toBe("drafts[1] cannot have the field 'id'.");
    expect(await alice.post('/drafts', { drafts: [] })).toEqual({ ...done, ids: [] });
    expect(await alice.post('/drafts')).toEqual({ ...done, ids: [] });
    expect((await alice.get('/drafts')).count).toBe(0);
    expect(await phone.hears()).toEqual([]);
  });

  test('are cut to the lengths of messages and topics', async () => {
    const { alice } = await realm();
    const channel = await createChannel(alice, 'plans');
    const long = { type: 'stream', to: [channel], topic: 't'.repeat(61), content: '😀'.repeat(10_001) };
    await alice.post('/drafts', { drafts: [long] });
    const [{ topic, content }] = (await alice.get('/drafts')).drafts;
    expect(topic).toBe(`${'t'.repeat(57)}...`);
    expect([[...content].length, content.endsWith('\n[message truncated]')]).toEqual([10_000, true]);
  });

  test('are forgotten, and refused, where their owner wants none on the server', async () => {
    const { alice } = await realm();
    const { ids } = await alice.post('/drafts', { drafts: [note('one'), note('two')] });
    const phone = await alice.listen({ client_capabilities: newest });
    await alice.patch('/settings', { enable_drafts_synchronization: false });
    expect(await phone.hears()).toMatchObject([
      { type: 'user_settings', value: false },
      ...ids.map((draft_id: number) => ({ type: 'drafts', op: 'remove', draft_id })),
    ]);
    const off = refused('You have turned off the synchronization of drafts.');
    expect(await alice.get('/drafts')).toEqual(off);
    expect(await alice.post('/drafts', { drafts: [note('three')] })).toEqual(off);
    expect(await alice.patch(`/drafts/${ids[0]}`, { draft: note('four') })).toEqual(off);
    expect(await alice.delete(`/drafts/${ids[0]}`)).toEqual(off);
    expect((await alice.post('/register', { fetch_event_types: ['drafts'] })).drafts).toEqual([]);
    await alice.patch('/settings', { enable_drafts_synchronization: true });
    expect((await alice.get('/drafts')).count).toBe(0);
  });

  test('are bounded in number and in bytes', async () => {
    const { alice, bob } = await realm();
    const many = (count: number, content = 'x') => Array.from({ length: count }, () => note(content));
    expect(outcomeOf(await alice.post('/drafts', { drafts: many(1001) }))).toBe('drafts is too long.');
    const { ids } = await alice.post('/drafts', { drafts: many(1000) });
    expect(outcomeOf(await alice.post('/drafts', { drafts: many(1) }))).toBe(
      'You can have at most 1000 drafts.',
    );
    expect(outcomeOf(await alice.patch(`/drafts/${ids[0]}`, { draft: note('y') }))).toBe('ok');
    const write = () => bob.post('/drafts', { drafts: many(10, '字'.repeat(10_000)) });
    const outcomes = [];
    for (let count = 0; count < 14; count += 1) outcomes.push(outcomeOf(await write()));
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(13);
    expect(outcomes.at(-1)).toBe('Your drafts can have at most 4194304 bytes in total.');
    expect((await bob.get('/drafts')).count).toBe(130);
  });
});
