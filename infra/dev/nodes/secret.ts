import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the server secret of a cluster's folder, and creates it on first use. */
export async function provideSecret(dir: string): Promise<string> {
  const file = join(dir, 'secret');
  const existing = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // One that cannot be read is not replaced: what it has signed would be worthless.
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  if (existing) return existing.trim();
  const secret = randomBytes(32).toString('hex');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}
