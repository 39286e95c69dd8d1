import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The server secret of this folder, made on first use. */
export async function provideSecret(dir: string): Promise<string> {
  const file = join(dir, 'secret');
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found) return found.trim();
  const secret = randomBytes(32).toString('hex');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}
