import { describe, test, expect } from 'vitest';

import { unicodeEmojiNames } from './unicode-names.ts';
import { findUnicodeEmojiCode } from './unicode.ts';

const entries = Object.entries(unicodeEmojiNames);

describe('the table of emoji names', () => {
  test.each([
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['-1', '1f44e'],
    ['heart', '2764'],
    ['tada', '1f389'],
    ['smile', '1f604'],
    ['slight_smile', '1f642'],
    ['joy', '1f602'],
    ['frown', '1f641'],
    ['neutral', '1f610'],
    ['confused', '1f615'],
    ['wink', '1f609'],
    ['open_mouth', '1f62e'],
    ['stuck_out_tongue', '1f61b'],
    ['octopus', '1f419'],
    ['working_on_it', '1f6e0'],
    ['check', '2705'],
    ['eyes', '1f440'],
    ['rocket', '1f680'],
    ['100', '1f4af'],
    ['united_states', '1f1fa-1f1f8'],
    ['one', '0031-20e3'],
  ])('%s is %s', (name, code) => {
    expect(findUnicodeEmojiCode(name)).toBe(code);
  });

  test('gives every emoji a name', () => {
    expect(entries.length).toBeGreaterThan(1800);
    expect(entries.filter(([, names]) => names.length === 0)).toEqual([]);
  });

  test('gives a name to one emoji only', () => {
    const names = entries.flatMap(([, all]) => all);
    expect(names).toHaveLength(new Set(names).size);
  });

  test('writes codes and names as clients do', () => {
    for (const [code, names] of entries) {
      expect(code).toMatch(/^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/);
      expect(code).not.toContain('fe0f');
      for (const name of names) expect(name).toMatch(/^[a-z0-9+_-]+$/);
    }
  });
});
