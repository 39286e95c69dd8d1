import { describe, expect, test } from 'vitest';

import { isConversation, markReadPolicies, marksRead } from './narrow-kind.ts';
import { readNarrow } from './narrow.ts';

const narrow = (fragment: string) => readNarrow(`#narrow/${fragment}`) ?? { terms: [], near: null };

describe('kinds of narrows', () => {
  test.each([
    ['channel/5-a/topic/b', true],
    ['channel/5-a/topic/', true],
    ['dm/4,5', true],
    ['channel/5-a', false],
    ['channel/5-a/topic/b/is/starred', false],
    ['channel/5-a/-topic/b', false],
    ['is/dm', false],
  ])('%s is a conversation: %j', (fragment, is) => {
    expect(isConversation(narrow(fragment))).toBe(is);
  });

  const { always, conversations, never } = markReadPolicies;
  test.each([
    ['channel/5-a/topic/b', [true, true, false]],
    ['dm/4,5', [true, true, false]],
    ['channel/5-a', [true, false, false]],
    ['in/home', [true, false, false]],
    ['is/dm', [true, false, false]],
    ['search/lunch', [false, false, false]],
    ['channel/5-a/search/lunch', [false, false, false]],
    ['is/starred', [false, false, false]],
    ['is/unread', [false, false, false]],
    ['sender/4', [false, false, false]],
    ['-channel/5-a', [false, false, false]],
  ])('%s marks as read by the policies: %j', (fragment, does) => {
    expect([always, conversations, never].map((policy) => marksRead(narrow(fragment), policy))).toEqual(does);
  });
});
