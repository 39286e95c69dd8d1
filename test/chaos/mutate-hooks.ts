import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { mutations } from './mutations.ts';

interface Loaded {
  format: string;
  source: string;
  shortCircuit: boolean;
}

type NextLoad = (url: string, context: object) => Promise<Loaded>;

/** Module loader hook: changes one file's text on its way in. */
export async function load(url: string, context: object, next: NextLoad): Promise<Loaded> {
  const mutation = mutations[process.env['PARLEY_MUTATION'] ?? ''];
  if (!mutation || !url.startsWith('file:') || !fileURLToPath(url).endsWith(`/${mutation.file}`))
    return next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  if (!source.includes(mutation.from))
    throw new Error(`${mutation.file} no longer contains: ${mutation.from}`);
  return { format: 'module', source: source.replace(mutation.from, () => mutation.to), shortCircuit: true };
}
