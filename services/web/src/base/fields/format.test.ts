import { expect, test } from 'vitest';

import { fenced } from './fenced.ts';
import { markLines } from './format.ts';

test('lines are marked, and marked ones are not marked any more', () => {
  expect(markLines('a\nb', '- ')).toBe('- a\n- b');
  expect(markLines('- a\n- b', '- ')).toBe('a\nb');
  expect(markLines('- a\nb', '- ')).toBe('- - a\n- b');
});

test('a fence is longer than those inside', () => {
  expect(fenced('a', 'quote')).toBe('```quote\na\n```');
  expect(fenced('````\nx\n````', 'quote')).toBe('`````quote\n````\nx\n````\n`````');
});
