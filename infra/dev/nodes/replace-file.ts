import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file atomically: a reader sees the old content or the new one, never half of either. */
export function replaceFile(path: string, text: string): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, path);
}

export const writeJson = (path: string, content: unknown): void =>
  replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
