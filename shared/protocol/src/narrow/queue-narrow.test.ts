import { describe, expect, test } from 'vitest';

import type { Message } from '../objects/message.ts';
import { type QueueNarrow, checkQueueNarrow, passesNarrow } from './queue-narrow.ts';

const base: Message = {
  id: 1,
  type: 'stream',
  sender_id: 1,
  sender_email: 'Alice@example.com',
  sender_full_name: 'Alice',
  sender_realm_str: 'r',
  recipient_id: 1,
  display_recipient: 'News',
  stream_id: 1,
  subject: '✔ Weather',
  content: '',
  content_type: 'text/html',
  timestamp: 0,
  client: '',
  avatar_url: null,
  is_me_message: false,
  reactions: [],
  submessages: [],
  topic_links: [],
};
const { stream_id: _, ...withoutChannel } = base;
const direct: Message = { ...withoutChannel, type: 'private', display_recipient: [], subject: '' };

const passes = (narrow: QueueNarrow, message = base, flags: string[] = []) =>
  passesNarrow(narrow, message, flags);

describe('a message passes a narrow', () => {
  test.each<[string, string, Message, string[]]>([
    ['channel', 'nEWS', base, []],
    ['stream', 'news', base, []],
    ['topic', '✔ weather', base, []],
    ['sender', 'alice@EXAMPLE.com', base, []],
    ['is', 'dm', direct, []],
    ['is', 'private', direct, []],
    ['is', 'resolved', base, []],
    ['is', 'unread', base, []],
    ['is', 'starred', base, ['starred']],
    ['is', 'mentioned', base, ['mentioned']],
    ['is', 'mentioned', base, ['stream_wildcard_mentioned']],
    ['is', 'mentioned', base, ['topic_wildcard_mentioned']],
  ])('%s:%s when it fits, and then only', (operator, operand, message, flags) => {
    checkQueueNarrow([[operator, operand]]);
    expect(passes([[operator, operand]], message, flags)).toBe(true);
    const other: Message =
      message === direct
        ? base
        : { ...direct, sender_email: 'bob@example.com', subject: '✔ weather', display_recipient: [] };
    expect(passes([[operator, operand]], other, ['read'])).toBe(false);
  });

  test('a message passes a narrow only if all of its terms match', () => {
    expect(passes([])).toBe(true);
    expect(
      passes([
        ['channel', 'news'],
        ['is', 'resolved'],
      ]),
    ).toBe(true);
    expect(
      passes([
        ['channel', 'news'],
        ['is', 'dm'],
      ]),
    ).toBe(false);
  });
});

test.each<[string, string]>([
  ['has', 'link'],
  ['constructor', 'x'],
  ['is', 'followed'],
  ['is', 'toString'],
])('%s:%s is refused', (operator, operand) => {
  expect(() => checkQueueNarrow([[operator, operand]])).toThrow('is not supported here');
});
