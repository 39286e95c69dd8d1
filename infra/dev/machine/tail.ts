import { readFile } from 'node:fs/promises';

/** The last lines of a log; empty if there is no log. */
export async function tail(path: string, lines = 20): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
