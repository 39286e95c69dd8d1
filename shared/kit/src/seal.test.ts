import { describe, expect, test } from 'vitest';

import { seal, sealedPrefix, unseal } from './seal.ts';

describe('what is sealed', () => {
  const sealed = seal(['one'], 'a purpose', 'a text');

  test('is opened with the secret for its purpose', () => {
    expect(sealed).not.toContain('a text');
    expect(seal(['one'], 'a purpose', 'a text')).not.toBe(sealed);
    expect(unseal(['one'], 'a purpose', sealed)).toBe('a text');
    expect(unseal(['two', 'one'], 'a purpose', sealed)).toBe('a text');
  });

  test('says whether it is sealed with the present secret', () => {
    expect(sealed.startsWith(sealedPrefix(['one', 'two']))).toBe(true);
    expect(sealed.startsWith(sealedPrefix(['two', 'one']))).toBe(false);
  });

  test('is opened neither with another secret nor for another purpose', () => {
    expect(unseal(['two'], 'a purpose', sealed)).toBeNull();
    expect(unseal(['one'], 'another', sealed)).toBeNull();
  });

  test('is not opened once it has been changed', () => {
    const changed = `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'Q' : 'A'}`;
    for (const forged of [changed, sealed.slice(0, 20), '', '.', sealedPrefix(['one'])]) {
      expect(unseal(['one'], 'a purpose', forged)).toBeNull();
    }
  });
});
