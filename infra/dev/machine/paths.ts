import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the checkout, both from source and from `dist`. */
export function repoRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package-lock.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error(`no checkout of Parley above ${import.meta.dirname}`);
    folder = above;
  }
  return folder;
}
