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
    ['one', '0031-20e3'],
    ['football', '26bd'],
    ['american_football', '1f3c8'],
    ['x', '274e'],
    ['truck', '1f69b'],
    ['gold', '1f947'],
    ['flag_germany', '1f1e9-1f1ea'],
    ['flag_england', '1f3f4-e0067-e0062-e0065-e006e-e0067-e007f'],
    ['flag_åland_islands', '1f1e6-1f1fd'],
    ['piñata', '1fa85'],
  ])('%s is %s', (name, code) => {
    expect(findUnicodeEmojiCode(name)).toBe(code);
  });

  test('gives every emoji a name, and a name to one emoji only', () => {
    const names = entries.flatMap(([, all]) => all);
    expect([entries.length, names.length, new Set(names).size]).toEqual([1883, 3339, 3339]);
    expect(entries.filter(([, all]) => all.length === 0)).toEqual([]);
    for (const [code, all] of entries) for (const name of all) expect(findUnicodeEmojiCode(name)).toBe(code);
  });

  test('writes codes and names as clients do', () => {
    for (const [code, names] of entries) {
      expect(code).toMatch(/^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/);
      expect(code).not.toContain('fe0f');
      for (const name of names) expect(name).toMatch(/^[\p{Ll}0-9+_-]+$/u);
    }
  });
});
