import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { mutations } from './mutations.ts';

interface Loaded {
  format: string;
  source: string;
  shortCircuit: boolean;
}

type NextLoad = (url: string, context: object) => Promise<Loaded>;

/** Module loader hook: changes the text of the mutated files on their way in. */
export async function load(url: string, context: object, next: NextLoad): Promise<Loaded> {
  const path = url.startsWith('file:') ? fileURLToPath(url) : '';
  const changes = (mutations[process.env['PARLEY_MUTATION'] ?? '']?.changes ?? []).filter(({ file }) =>
    path.endsWith(`/${file}`),
  );
  if (changes.length === 0) return next(url, context);
  let source = await readFile(path, 'utf8');
  for (const { file, from, to } of changes) {
    if (!source.includes(from)) throw new Error(`${file} no longer contains: ${from}`);
    source = source.replace(from, () => to);
  }
  return { format: 'module', source, shortCircuit: true };
}
