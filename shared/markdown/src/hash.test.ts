import { expect, test } from 'vitest';

import { channelHash, encodeHash, messageHash, topicHash } from './hash.ts';

const lab = { id: 12, name: 'lab (old) 2.0' };

test.each([
  ['plain', 'plain'],
  ['week 3', 'week.203'],
  ['v1.2', 'v1.2E2'],
  ['(a)', '.28a.29'],
  ['é', '.C3.A9'],
  ['a*b', 'a*b'],
  ['100%', '100.25'],
  ['a/b#c', 'a.2Fb.23c'],
  ["it's done!", 'it.27s.20done.21'],
  ['a~b_c-d', 'a~b_c-d'],
])('%s is written as %s in an address', (text, written) => {
  expect(encodeHash(text)).toBe(written);
});

test('channels, topics and messages have an address', () => {
  expect(channelHash(lab)).toBe('#narrow/channel/12-lab-.28old.29-2.2E0');
  expect(topicHash(lab, 'week 3')).toBe('#narrow/channel/12-lab-.28old.29-2.2E0/topic/week.203');
  expect(messageHash({ id: 1, name: 'x' }, '', 901)).toBe('#narrow/channel/1-x/topic//near/901');
});
