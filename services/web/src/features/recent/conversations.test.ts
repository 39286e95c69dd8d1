import { type Message, amongPeople, inTopic } from '@parley/client';
import { expect, test } from 'vitest';

import { type Filters, conversationsOf, isShown } from './conversations.ts';

const inChannel = (id: number, subject: string, sender_id: number) =>
  ({ id, stream_id: 5, subject, sender_id, timestamp: id * 10 }) as unknown as Message;
const direct = (id: number, people: string, sender_id: number) =>
  ({ id, people, subject: '', sender_id, timestamp: id * 10 }) as unknown as Message;

const messages = [
  inChannel(1, 'Tea', 2),
  inChannel(2, 'tea', 3),
  direct(3, '1,2', 2),
  inChannel(4, 'TEA', 2),
  inChannel(5, 'cake', 1),
];
const known = conversationsOf(
  messages,
  new Map([
    [amongPeople([2]), 3],
    [amongPeople([7]), 2],
  ]),
  1,
);

test('recent conversations are topics and people, the one that was written in last first, with who wrote', () => {
  expect(known.map(({ place, newest, participants, topic }) => [place, newest, participants, topic])).toEqual(
    [
      [inTopic(5, 'cake'), 5, [1], 'cake'],
      [inTopic(5, 'tea'), 4, [2, 3], 'TEA'],
      [amongPeople([2]), 3, [2], ''],
      [amongPeople([7]), 2, [7], ''],
    ],
  );
  expect(known.map(({ timestamp }) => timestamp)).toEqual([50, 40, 30, null]);
});

const all: Filters = { kind: 'all', isUnread: false, isOwn: false, withMuted: false, text: '' };
const facts = {
  ownId: 1,
  unreadAt: (place: string) => (place === inTopic(5, 'tea') ? 2 : 0),
  isMuted: (place: string) => place === inTopic(5, 'cake'),
  nameOf: ({ topic, participants }: { topic: string; participants: number[] }) =>
    topic || `person ${participants[0]}`,
};

test.each([
  [{}, [4, 3, 2]],
  [{ withMuted: true }, [5, 4, 3, 2]],
  [{ kind: 'topics' }, [4]],
  [{ kind: 'direct' }, [3, 2]],
  [{ isUnread: true }, [4]],
  [{ isOwn: true, withMuted: true }, [5, 3, 2]],
  [{ text: ' Tea' }, [4]],
  [{ text: 'person 7' }, [2]],
] as [Partial<Filters>, number[]][])('%j shows %j', (filters, ids) => {
  const shown = known.filter((one) => isShown(one, { ...all, ...filters }, facts));
  expect(shown.map(({ newest }) => newest)).toEqual(ids);
});
