import fc from 'fast-check';
import { expect, test } from 'vitest';

import { isProof } from './queue-credentials.ts';

test('a header proves what it proved before, and no other header does', () => {
  const header = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(header, header, (proof, shown) => {
      expect(isProof({ proof }, proof)).toBe(true);
      expect(isProof({ proof }, shown)).toBe(proof === shown);
      expect(isProof({ proof: null }, shown)).toBe(false);
      expect(isProof({ proof }, undefined)).toBe(false);
    }),
  );
});
