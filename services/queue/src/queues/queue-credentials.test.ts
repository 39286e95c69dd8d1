import fc from 'fast-check';
import { expect, test } from 'vitest';

import { isVerifiedHeader } from './queue-credentials.ts';

test('a header is recognised when it equals the verified one, and no other header is', () => {
  const header = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(header, header, (verifiedHeader, presented) => {
      expect(isVerifiedHeader({ verifiedHeader }, verifiedHeader)).toBe(true);
      expect(isVerifiedHeader({ verifiedHeader }, presented)).toBe(verifiedHeader === presented);
      expect(isVerifiedHeader({ verifiedHeader: null }, presented)).toBe(false);
      expect(isVerifiedHeader({ verifiedHeader }, undefined)).toBe(false);
    }),
  );
});
