import { expect, test } from 'vitest';

import { playgroundAddress, playgroundsFor } from './playgrounds.ts';

const at = (url_template: string) => ({ name: 'Play', pygments_language: 'Python', url_template });

test.each([
  ['https://play.example/?code={code}', 'https://play.example/?code=a%20%3D%20%221%22'],
  ['https://play.example/{?code}', 'https://play.example/?code=a%20%3D%20%221%22'],
  ['https://play.example/?x=1{&code}', 'https://play.example/?x=1&code=a%20%3D%20%221%22'],
  ['https://play.example/{#code}', 'https://play.example/#a%20%3D%20%221%22'],
  ['javascript:alert({code})', null],
  ['https://play.example/{other}', 'https://play.example/{other}'],
])('code is put into %j', (template, address) => {
  expect(playgroundAddress(at(template), 'a = "1"')).toBe(address);
});

test('code that is too long for an address has none', () => {
  expect(playgroundAddress(at('https://play.example/{code}'), 'a'.repeat(40_000))).toBeNull();
});

test('languages are the same in small letters and in great ones', () => {
  const all = [at('https://a.example/{code}'), { ...at(''), pygments_language: 'Rust' }];
  expect(playgroundsFor(all, 'python')).toEqual([all[0]]);
});
