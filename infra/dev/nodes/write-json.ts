import { renameSync, writeFileSync } from 'node:fs';

/** Replaces the file at once: whoever reads it sees the old or the new content, never half of either. */
export function writeJson(path: string, content: unknown): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, path);
}
