import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a temporary folder that never outlives this process, however this one ends: a shell that reads from this process
 * until it ends deletes it then. Whoever needs it no longer may delete it before.
 */
export async function makeTiedFolder(prefix: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  // Servers that end at the same moment may still be writing.
  const script = 'cat > /dev/null; for time in 1 2 3 4 5; do rm -rf "$1" && break; sleep 1; done';
  const watcher = spawn('/bin/sh', ['-c', script, 'watcher', path], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  return path;
}
