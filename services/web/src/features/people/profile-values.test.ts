import { expect, test } from 'vitest';

import { accountAddress, optionOf, peopleIn } from './profile-values.ts';

test('an option has the text that the organization gave it', () => {
  const field_data = '{"1":{"text":"Tea","order":"1"}}';
  expect([optionOf({ field_data }, '1'), optionOf({ field_data }, '9')]).toEqual(['Tea', '9']);
  expect(optionOf({ field_data: 'nonsense' }, '1')).toBe('1');
});

test('people are accounts, and nothing else', () => {
  expect(peopleIn('[3, 4]')).toEqual([3, 4]);
  expect([peopleIn('x'), peopleIn('{}'), peopleIn('["a"]')]).toEqual([[], [], []]);
});

test('an account elsewhere has an address only on the web', () => {
  const at = (url_pattern: string) =>
    accountAddress({ field_data: JSON.stringify({ url_pattern }) }, 'a b', undefined);
  expect(at('https://forge.example/%(username)s')).toBe('https://forge.example/a%20b');
  expect(at('javascript:%(username)s')).toBeNull();
  expect(accountAddress({}, 'x', undefined)).toBeNull();
  const services = { forge: { url_pattern: 'https://forge.example/u/%(username)s' } };
  expect(accountAddress({ field_data: '{"subtype":"forge"}' }, 'ann', services)).toBe(
    'https://forge.example/u/ann',
  );
});
