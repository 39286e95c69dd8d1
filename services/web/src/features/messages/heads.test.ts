import type { Message } from '@parley/client';
import { describe, expect, test } from 'vitest';

import { headOf } from './heads.ts';

const noon = new Date(2031, 4, 6, 12).getTime() / 1000;

const message = (more: Partial<Message> = {}): Message => ({
  id: 1,
  type: 'stream',
  sender_id: 2,
  timestamp: noon,
  content: '<p>x</p>',
  is_me_message: false,
  stream_id: 1,
  subject: 'lunch',
  topic_links: [],
  reactions: [],
  submessages: [],
  flags: [],
  ...more,
});

describe('what stands above a message', () => {
  test('is all, above the first', () => {
    expect(headOf(message(), undefined, true)).toEqual({ hasDay: true, hasPlace: true, hasSender: true });
    expect(headOf(message(), undefined, false).hasPlace).toBe(false);
  });

  test.each<[string, Partial<Message>, Partial<ReturnType<typeof headOf>>]>([
    ['nothing, of the same sender a minute later', { timestamp: noon + 60 }, {}],
    ['the sender, half an hour later', { timestamp: noon + 1800 }, { hasSender: true }],
    ['the sender, of another', { sender_id: 3 }, { hasSender: true }],
    ['the sender, of what one does', { is_me_message: true }, { hasSender: true }],
    ['the place, in another topic', { subject: 'dinner' }, { hasPlace: true, hasSender: true }],
    ['nothing, of a topic in another case', { subject: 'LUNCH' }, {}],
    ['all, the next day', { timestamp: noon + 86_400 }, { hasDay: true, hasPlace: true, hasSender: true }],
  ])('%s', (_name, more, head) => {
    const nothing = { hasDay: false, hasPlace: false, hasSender: false };
    expect(headOf(message(more), message(), true)).toEqual({ ...nothing, ...head });
  });
});
