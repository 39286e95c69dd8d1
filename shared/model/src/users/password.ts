import { randomBytes } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';

/** An Argon2id hash with the package's defaults, 19 MiB and two passes, which OWASP recommends first. */
export const hashPassword = (password: string): Promise<string> => hash(password);

let dummyHash: Promise<string> | undefined;

/**
 * Whether a password is right. Without an account or a stored password it compares with a random hash, so that every
 * refusal takes the same time.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash(randomBytes(16));
  const isRight = await verify(passwordHash ?? (await dummyHash), password);
  return isRight && passwordHash !== null;
}
