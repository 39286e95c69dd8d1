import { describe, expect, test } from 'vitest';

import {
  channelOf,
  decodePart,
  encodePart,
  followedBy,
  narrowFragment,
  peopleOf,
  readNarrow,
  toTopic,
  topicOf,
  viewKeyOf,
  withoutFollowed,
} from './narrow.ts';

describe('parts of a fragment', () => {
  test.each([
    ['week 3', 'week.203'],
    ['v1.2 (b)', 'v1.2E2.20.28b.29'],
    ['<b>', '.3Cb.3E'],
    ['über', '.C3.BCber'],
    ['a@b', 'a.40b'],
    ['done!', 'done.21'],
    ['50%/3', '50.25.2F3'],
    ['', ''],
  ])('%j is written as the server writes it', (text, part) => {
    expect(encodePart(text)).toBe(part);
    expect(decodePart(part)).toBe(text);
  });

  test('what nobody has encoded stays as it is', () => {
    expect(decodePart('a.b')).toBe('a.b');
    expect(decodePart('.ff')).toBe('.ff');
    expect(decodePart('100%')).toBe('100%');
  });
});

describe('narrows', () => {
  test('are read from the links of messages', () => {
    const narrow = readNarrow('#narrow/channel/12-lab/topic/week.203/near/901');
    expect(narrow).toEqual({
      terms: [
        { operator: 'channel', operand: '12-lab', negated: false },
        { operator: 'topic', operand: 'week 3', negated: false },
      ],
      near: 901,
    });
    expect(narrow && [channelOf(narrow), topicOf(narrow), peopleOf(narrow)]).toEqual([12, 'week 3', null]);
  });

  test('have a topic without a name', () => {
    const narrow = readNarrow('/narrow/channel/12-lab/topic//with/906');
    expect(narrow && topicOf(narrow)).toBe('');
    expect(narrow?.terms.at(-1)).toEqual({ operator: 'with', operand: '906', negated: false });
  });

  test('may exclude, and have older names', () => {
    expect(readNarrow('narrow/-stream/5/is/unread')?.terms).toEqual([
      { operator: 'channel', operand: '5', negated: true },
      { operator: 'is', operand: 'unread', negated: false },
    ]);
    const people = readNarrow('#narrow/pm-with/7,9-group');
    expect(people && peopleOf(people)).toEqual([7, 9]);
  });

  test('are written as they are read', () => {
    const fragment = toTopic(12, 'big lab', 'v1.2 (b)', { near: 7 });
    expect(fragment).toBe('#narrow/channel/12-big-lab/topic/v1.2E2.20.28b.29/near/7');
    const narrow = readNarrow(fragment);
    expect(narrow && narrowFragment(narrow)).toBe(fragment);
  });

  test('follow a message, and show the same whichever that is', () => {
    const fragment = toTopic(12, 'lab', 'tea', { with: 905 });
    expect(fragment).toBe('#narrow/channel/12-lab/topic/tea/with/905');
    const narrow = readNarrow(fragment);
    expect(narrow && followedBy(narrow)).toBe(905);
    expect(narrow && narrowFragment(withoutFollowed(narrow))).toBe('#narrow/channel/12-lab/topic/tea');
    expect(viewKeyOf(`${fragment}/near/7`)).toBe(viewKeyOf(toTopic(12, 'lab', 'tea')));
    expect(viewKeyOf('inbox')).toBe('inbox');
  });

  test('are nothing else', () => {
    expect(readNarrow('#inbox')).toBeNull();
    expect(readNarrow('')).toBeNull();
    expect(readNarrow('#narrow/channel/-')).not.toBeNull();
  });
});
