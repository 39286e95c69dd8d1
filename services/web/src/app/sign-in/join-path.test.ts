import { expect, test } from 'vitest';

import { joinPath } from './join-path.ts';

const origin = 'https://chat.example.com';

test.each([
  ['https://chat.example.com/join/abc_1-2.x', '/join/abc_1-2.x'],
  ['https://chat.example.com/join/abc/', '/join/abc/'],
  ['https://elsewhere.example.com/join/abc', null],
  ['https://chat.example.com/logout/', null],
  ['javascript:alert(1)', null],
  ['abc', null],
])('%s leads to %s', (link, path) => {
  expect(joinPath(link, origin)).toBe(path);
});
