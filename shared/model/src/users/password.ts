import { randomBytes } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';

/** Argon2id at the package's defaults: 19 MiB, two passes (OWASP's first choice). */
export const hashPassword = (password: string): Promise<string> => hash(password);

let dummyHash: Promise<string> | undefined;

/** Compares with some hash even where there is no account or no password: every refusal takes the same time. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash(randomBytes(16));
  const isRight = await verify(passwordHash ?? (await dummyHash), password);
  return isRight && passwordHash !== null;
}
