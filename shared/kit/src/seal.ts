import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

import { type Secrets, withEach } from './secrets.ts';

const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'what is stored sealed', 32));

/** The name of a secret, which does not tell it. */
const nameOf = (secret: string) =>
  createHmac('sha256', secret)
    .update('name of the secret for what is sealed')
    .digest('base64url')
    .slice(0, 8);

/**
 * Encrypts a text that is stored, so that whoever reads the database alone cannot read it. It can be opened only for the
 * same purpose.
 */
export function seal([secret]: Secrets, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${nameOf(secret)}.${sealed.toString('base64url')}`;
}

/** Decrypts what was sealed with one of the secrets for this purpose; null for anything else. */
export function unseal(secrets: Secrets, purpose: string, sealed: string): string | null {
  const [name, encoded = ''] = sealed.split('.');
  const key = withEach(secrets, (secret) => (nameOf(secret) === name ? keyOf(secret) : null)).find(Boolean);
  const bytes = Buffer.from(encoded, 'base64url');
  if (!key || bytes.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/** Returns how everything begins that is sealed with the present secret. */
export const sealedPrefix = ([secret]: Secrets): string => `${nameOf(secret)}.`;
