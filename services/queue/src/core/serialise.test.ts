import { heldMemory } from '@parley/kit';
import { Client, events } from '@parley/protocol';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

import { entryOf, families, queueOf, readEntry, sets, unreadable } from './fixtures.test-support.ts';
import { matchesQueue } from './matches-queue.ts';
import { serialise } from './serialise.ts';

/** An event but for its id. */
const parse = (text: string | undefined) => JSON.parse(`${text}0}`);

const message = events.message({
  message: {
    id: 1,
    type: 'stream',
    sender_id: 5,
    sender_email: 'ann@zed.example',
    sender_full_name: 'Ann',
    sender_realm_str: 'zed',
    recipient_id: 3,
    display_recipient: 'kitchen',
    stream_id: 3,
    subject: 'tea',
    content: 'now?',
    content_type: 'text/x-markdown',
    timestamp: 1,
    client: 'test',
    avatar_url: null,
    is_me_message: false,
    reactions: [],
    submessages: [],
    topic_links: [],
  },
  rendered_content: '<p>now?</p>',
  is_gravatar: false,
  flags: { mentioned: [10] },
  echo: { queue_id: 'mine', local_id: '7.5' },
});

beforeEach(() => void unreadable.splice(0));

test('equal clients with equal fields of their own share the very same bytes', () => {
  const entry = readEntry.logged(entryOf(4, {}, message));
  const [a, b, mentioned, html] = [
    serialise(entry, queueOf({ id: 'a', userId: 11 })),
    serialise(entry, queueOf({ id: 'b', userId: 12 })),
    serialise(entry, queueOf({ id: 'c', userId: 10 })),
    serialise(entry, queueOf({ id: 'd', userId: 11, client: Client.parse({ apply_markdown: true }) })),
  ];
  expect(a).toBe(b);
  expect(parse(a[0])).toMatchObject({ flags: [], message: { content: 'now?' } });
  expect(parse(mentioned[0])).toMatchObject({ flags: ['mentioned'] });
  expect(parse(html[0])).toMatchObject({ message: { content: '<p>now?</p>' } });
});

test('equal clients share the very same bytes of a long event too, which its entry does not keep', () => {
  const long = { ...message, rendered_content: `<p>${'ü'.repeat(100_000)}</p>` };
  const entry = readEntry.logged(entryOf(4, {}, long));
  const another = readEntry.logged(
    entryOf(5, {}, { ...long, rendered_content: `<p>${'x'.repeat(100_000)}</p>` }),
  );
  const size = entry.size;
  const html = Client.parse({ apply_markdown: true });
  const of = (one: typeof entry, userId: number, client = html) =>
    serialise(one, queueOf({ userId, client }));
  const [first, other, mentioned] = [of(entry, 11), of(another, 11), of(entry, 10)];
  expect(of(entry, 12)).toBe(first);
  expect(of(entry, 10)).toBe(mentioned);
  expect(of(another, 13)).toBe(other);
  expect(new Set([first[0], other[0], mentioned[0]]).size).toBe(3);
  expect(parse(other[0])).toMatchObject({ message: { content: `<p>${'x'.repeat(100_000)}</p>` } });
  expect(parse(of(entry, 11, Client.parse({}))[0])).toMatchObject({ message: { content: 'now?' } });
  expect(entry.size - size, 'what its ring is charged').toBeLessThan(10_000);
  expect([...heldMemory()].find(({ name }) => name === 'longTexts')?.bytes).toBeGreaterThan(400_000);
});

test('only the sending queue gets its local id back, under both of its names', () => {
  const entry = readEntry.logged(entryOf(4, {}, message));
  const [mine, other] = ['mine', 'other'].map((id) => parse(serialise(entry, queueOf({ id }))[0]));
  for (const name of ['local_id', 'local_message_id']) {
    expect(mine).toHaveProperty(name, '7.5');
    expect(other).not.toHaveProperty(name);
  }
});

test('a narrow filters by the message and the flags of its user', () => {
  const entry = readEntry.logged(entryOf(4, {}, message));
  const narrowed = (userId: number, ...narrow: [string, string][]) =>
    matchesQueue(queueOf({ userId, narrow }), entry, sets);
  expect(narrowed(10, ['is', 'mentioned'])).toBe(true);
  expect(narrowed(11, ['is', 'mentioned'])).toBe(false);
  expect(narrowed(11, ['channel', 'Kitchen'], ['topic', 'TEA'])).toBe(true);
  expect(narrowed(11, ['channel', 'Kitchen'], ['topic', 'milk'])).toBe(false);
});

test('muted_topics is not sent to a client that names user_topic', () => {
  const family = { type: 'muted_topics', schema: families.get('silent')?.schema, forClient: () => [] };
  const entry = { ...readEntry.logged(entryOf(1, {}, { type: 'muted_topics' })), family: family as never };
  expect(matchesQueue(queueOf({ eventTypes: ['muted_topics'] }), entry, sets)).toBe(true);
  expect(matchesQueue(queueOf({ eventTypes: ['muted_topics', 'user_topic'] }), entry, sets)).toBe(false);
  expect(matchesQueue(queueOf({ eventTypes: null }), entry, sets)).toBe(true);
});

test('an event that this node cannot read is reported once, and nobody receives it', () => {
  const entries = [entryOf(1, {}, { type: 'of the future' }), entryOf(2, {}, { ...message, surplus: 1 })].map(
    readEntry.logged,
  );
  for (const entry of entries)
    for (const _ of [1, 2]) expect(matchesQueue(queueOf({}), entry, sets)).toBe(false);
  expect(unreadable).toEqual(['of the future', 'message']);
});

test('a family that fails on its own event stops neither the node nor the log', () => {
  const entry = readEntry.logged(entryOf(1, {}, message));
  const forClient = () => {
    throw new Error('bug');
  };
  entry.family = { ...events.message, schema: z.any(), forClient };
  expect(serialise(entry, queueOf({}))).toEqual([]);
  expect(unreadable).toEqual(['message']);
});

const sizeOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);

test('an entry grows by what is kept of it: some kinds of clients, some lines of each', () => {
  const entry = readEntry.logged(entryOf(4, {}, message));
  const growth: number[] = [];
  const empty = entry.size;
  entry.onGrowth = (length) => growth.push(length);
  const [line = ''] = serialise(entry, queueOf({ userId: 11 }));
  const head = line.indexOf(',"flags"');
  expect(growth).toEqual([head, line.length]);
  expect(entry.size).toBe(empty + head + line.length);
  serialise(entry, queueOf({ userId: 12 }));
  expect(growth).toHaveLength(2);

  const [kind] = entry.renditions.values();
  entry.onGrowth = null;
  for (let userId = 100; userId < 200; userId += 1) {
    const family = { ...events.message, forQueue: () => ({ of: userId }) } as never;
    const lines = serialise(Object.assign(entry, { family }), queueOf({ userId }));
    expect(parse(lines[0])).toMatchObject({ of: userId });
  }
  expect(kind?.lines.size).toBe(16);
  expect(entry.size).toBe(empty + head + sizeOf([...(kind?.lines.values() ?? [])].flat()));
});

test('an entry keeps the renditions of a few kinds of clients, and is as large as these', () => {
  const entry = readEntry.logged(entryOf(4, {}, message));
  const empty = entry.size;
  const names = Object.keys(Client.parse({}));
  for (const name of names) {
    const client = Client.parse({ [name]: true });
    expect(serialise(entry, queueOf({ client }))).toHaveLength(1);
  }
  expect(names.length).toBeGreaterThan(8);
  expect(entry.renditions.size).toBe(8);
  const kept = [...entry.renditions.values()].flatMap(({ heads, lines }) => [
    ...heads,
    ...[...lines.values()].flat(),
  ]);
  expect(entry.size).toBe(empty + sizeOf(kept));
});

test('a queue without fields of its own gets the event', () => {
  const entry = readEntry.logged(entryOf(4, {}, { type: 'note', n: 1 }));
  expect(serialise(entry, queueOf({}))).toEqual(['{"type":"note","n":1,"id":']);
  const none = {
    ...entry,
    renditions: new Map(),
    family: { ...entry.family, forQueue: () => ({}) } as never,
  };
  expect(serialise(none, queueOf({}))).toEqual(['{"type":"note","n":1,"id":']);
  expect(parse(serialise(readEntry.logged(entryOf(4, {}, { type: 'own', n: 1 })), queueOf({}))[0])).toEqual({
    type: 'own',
    n: 1,
    mine: 10,
    id: 0,
  });
});

test('an event that became several types reaches a queue as those that it asked for', () => {
  const several = ['note', 'older', 'oldest'].map((type) => ({ type }));
  const note = readEntry.logged(entryOf(4, {}, { type: 'note', n: 1 }));
  const family = { ...note.family, also: ['older', 'oldest'], forClient: () => several } as never;
  const entry = { ...note, family };
  const typesFor = (eventTypes: string[] | null) =>
    serialise(entry, queueOf({ eventTypes })).map((line) => parse(line).type);
  expect(typesFor(['note'])).toEqual(['note']);
  expect(typesFor(['oldest', 'note'])).toEqual(['note', 'oldest']);
  expect(typesFor(['note', 'oldest', 'other'])).toEqual(['note', 'oldest']);
  expect(typesFor(null)).toEqual(['note', 'older', 'oldest']);
  expect(typesFor(['older'])).toEqual(['older']);
  expect([...entry.renditions.keys()].filter((key) => typeof key === 'string')).toHaveLength(3);

  const always = {
    ...note,
    renditions: new Map(),
    family: { ...note.family, forClient: () => several } as never,
  };
  expect(serialise(always, queueOf({ eventTypes: ['note'] }))).toHaveLength(3);
});
