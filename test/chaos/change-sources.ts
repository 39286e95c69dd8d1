import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A change of one file's text, made as the file is loaded. */
export interface SourceChange {
  /** Path below the checkout. */
  file: string;
  from: string;
  to: string;
}

export interface Loaded {
  format: string;
  source: string;
  shortCircuit: boolean;
}

export type NextLoad = (url: string, context: object) => Promise<Loaded>;

/** Returns a module loader hook that changes the text of files on their way in. A text that is not there any more is an error. */
export const changeSources =
  (changes: readonly SourceChange[]) =>
  async (url: string, context: object, next: NextLoad): Promise<Loaded> => {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    const ofFile = changes.filter(({ file }) => path.endsWith(`/${file}`));
    if (ofFile.length === 0) return next(url, context);
    let source = await readFile(path, 'utf8');
    for (const { file, from, to } of ofFile) {
      if (!source.includes(from)) throw new Error(`${file} no longer contains: ${from}`);
      source = source.replace(from, () => to);
    }
    return { format: 'module', source, shortCircuit: true };
  };
