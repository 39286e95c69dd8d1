import { expect, test } from 'vitest';

import { dataOf, describe as describeMessage } from './describe.ts';

const message = { id: 7, sender: 'Bob', avatarUrl: null, text: 'Hello' };

test('a message of a topic says where it is, and one notification is for the topic however it is written', () => {
  const inTopic = (topic: string) =>
    describeMessage({ ...message, topic: { channelId: 3, channel: 'news & more', topic } });
  const { title, options } = inTopic('Lunch');
  expect(title).toBe('Bob (#news & more › Lunch)');
  expect(options).toMatchObject({
    body: 'Hello',
    data: { id: 7, fragment: '#narrow/channel/3-news-.26-more/topic/Lunch/near/7' },
  });
  expect(inTopic('lunch').options.tag).toBe(options.tag);
  expect(inTopic('other').options.tag).not.toBe(options.tag);
  expect(inTopic('').title).toBe('Bob (#news & more › general chat)');
});

test('a direct message names its sender, and leads to the conversation', () => {
  const among = (others: number[]) => describeMessage({ ...message, topic: null, others });
  expect(among([5, 2])).toMatchObject({
    title: 'Bob',
    options: { body: 'Hello', data: { id: 7, fragment: '#narrow/dm/5.2C2/near/7' } },
  });
  expect(among([5, 2]).options.tag).toBe(among([2, 5]).options.tag);
});

test('a message whose text is not to be shown says that it is there', () => {
  const { options } = describeMessage({ id: 7, sender: 'Bob', avatarUrl: '/a.png', topic: null });
  expect(options).toMatchObject({ body: 'New direct message', icon: '/a.png', data: { fragment: '#inbox' } });
});

test('a notification of something else is not ours', () => {
  expect([null, 'x', {}, { id: 1 }].map((data) => dataOf({ data }))).toEqual([null, null, null, null]);
});
