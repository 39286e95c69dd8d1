import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A shell that reads names of folders from this process until it ends, and deletes them then. One serves them all. */
const watching: { shell?: ChildProcess | undefined } = {};

/**
 * Makes a temporary folder that never outlives this process, however this one ends. Whoever needs it no longer may
 * delete it before.
 */
export async function makeTiedFolder(prefix: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  watching.shell ??= startWatcher();
  const { stdin } = watching.shell;
  await new Promise((resolve) => stdin?.write(`${path}\n`, resolve));
  return path;
}

function startWatcher(): ChildProcess {
  // Servers that end at the same moment may still be writing.
  const script =
    'while IFS= read -r path; do set -- "$@" "$path"; done; ' +
    'for time in 1 2 3 4 5; do rm -rf "$@" && break; sleep 1; done';
  const shell = spawn('/bin/sh', ['-c', script, 'watcher'], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('exit', () => {
    if (watching.shell === shell) watching.shell = undefined;
  });
  // What it was told is lost with it; the next folder has another.
  shell.stdin?.on('error', () => undefined);
  shell.unref();
  return shell;
}
