import { randomBytes } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** Each takes 19 MiB and a thread of the four that read files, too. */
const atOnce = pLimit(2);

/** Returns an Argon2id hash with the package's defaults, 19 MiB and two passes, which OWASP recommends first. */
export const hashPassword = (password: string): Promise<string> => atOnce(() => hash(password));

let dummyHash: Promise<string> | undefined;

/**
 * Returns whether a password is right. Without an account or a stored password it compares with a random hash, so that
 * every refusal takes the same time.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash(randomBytes(16));
  const storedHash = passwordHash ?? (await dummyHash);
  const isRight = await atOnce(() => verify(storedHash, password));
  return isRight && passwordHash !== null;
}
