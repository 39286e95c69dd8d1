import { createHmac, timingSafeEqual } from 'node:crypto';

import { type Secrets, withEach } from '@parley/kit';

/**
 * Authenticates what Redis carries between nodes: whoever can write to Redis, and does not know the server's secret, can
 * delay it and not forge it.
 */
export interface Signer {
  /** The text with its signature before it. `scope` says what it is for: it is valid for no other scope. */
  sign(scope: string, text: string): string;
  /** The text of a signed text; null if this scope's signature is not valid. */
  verify(scope: string, signed: string): string | null;
}

const signatureLength = 22;

export function createSigner(secrets: Secrets): Signer {
  const keys = withEach(secrets, (secret) =>
    createHmac('sha256', secret).update('what Redis carries').digest(),
  );
  const signatureOf = (key: Buffer, scope: string, text: string) =>
    createHmac('sha256', key).update(`${scope}\n`).update(text).digest('base64url').slice(0, signatureLength);
  return {
    sign: (scope, text) => signatureOf(keys[0], scope, text) + text,
    verify(scope, signed) {
      const text = signed.slice(signatureLength);
      const given = Buffer.from(signed.slice(0, signatureLength));
      const isOf = (key: Buffer) => {
        const expected = Buffer.from(signatureOf(key, scope, text));
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      return keys.some(isOf) ? text : null;
    },
  };
}
