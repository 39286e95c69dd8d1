import { expect, test } from 'vitest';

import { readTold } from './told.ts';

const direct = { event: 'message', id: 7, sender: 'Bob', avatar_url: '/a.png', others: [2], content: 'Hi' };

test('what is pushed of a message is read', () => {
  expect(readTold(JSON.stringify(direct))).toEqual({
    kind: 'message',
    message: { id: 7, sender: 'Bob', avatarUrl: '/a.png', topic: null, others: [2], text: 'Hi' },
  });
  const inChannel = { event: 'message', id: 7, sender: 'Bob', stream_id: 3, channel: 'news', topic: '' };
  expect(readTold(JSON.stringify(inChannel))).toMatchObject({
    message: { topic: { channelId: 3, channel: 'news', topic: '' }, text: undefined },
  });
  expect(readTold(JSON.stringify({ event: 'remove', message_ids: [1, 2, 'x'] }))).toEqual({
    kind: 'remove',
    ids: new Set([1, 2]),
  });
});

test.each(['', '{', 'null', '[]', '{"event":"later"}', '{"event":"message","id":"7"}', '{"event":"remove"}'])(
  'what this version does not understand is nothing: %s',
  (text) => {
    expect(readTold(text)).toBeNull();
  },
);
