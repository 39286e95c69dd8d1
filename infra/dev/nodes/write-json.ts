import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file atomically: a reader sees the old content or the new one, never half of either. */
export function writeJson(path: string, content: unknown): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, path);
}
