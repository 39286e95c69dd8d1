import { createHmac, timingSafeEqual } from 'node:crypto';

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

export function createSigner(secret: string): Signer {
  const key = createHmac('sha256', secret).update('what Redis carries').digest();
  const signatureOf = (scope: string, text: string) =>
    createHmac('sha256', key).update(`${scope}\n`).update(text).digest('base64url').slice(0, signatureLength);
  return {
    sign: (scope, text) => signatureOf(scope, text) + text,
    verify(scope, signed) {
      const text = signed.slice(signatureLength);
      const [given, expected] = [signed.slice(0, signatureLength), signatureOf(scope, text)].map((part) =>
        Buffer.from(part),
      );
      return given && expected && given.length === expected.length && timingSafeEqual(given, expected)
        ? text
        : null;
    },
  };
}
