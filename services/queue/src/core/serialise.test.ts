import { Client, events } from '@parley/protocol';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

import { entryOf, families, queueOf, readEntry, sets, unreadable } from './fixtures.test-support.ts';
import { matchesQueue } from './matches-queue.ts';
import { serialise } from './serialise.ts';

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
  expect(a[0]).toBe(b[0]);
  expect(JSON.parse(String(a[0]))).toMatchObject({ id: 4_000_000, flags: [], message: { content: 'now?' } });
  expect(JSON.parse(String(mentioned[0]))).toMatchObject({ flags: ['mentioned'] });
  expect(JSON.parse(String(html[0]))).toMatchObject({ message: { content: '<p>now?</p>' } });
});

test('only the sending queue gets its local id back', () => {
  const entry = readEntry.logged(entryOf(4, {}, message));
  expect(JSON.parse(String(serialise(entry, queueOf({ id: 'mine' }))[0]))).toMatchObject({
    local_message_id: '7.5',
  });
  expect(JSON.parse(String(serialise(entry, queueOf({ id: 'other' }))[0]))).not.toHaveProperty(
    'local_message_id',
  );
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
