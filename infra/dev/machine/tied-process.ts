import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';

import { findProgram } from './find-program.ts';
import type { ServerUser } from './server-user.ts';

export interface TiedOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'> {
  /** The signal that the process gets if this process ends without having stopped it. */
  deathSignal: 'INT' | 'KILL' | 'TERM';
  user?: ServerUser | undefined;
}

/**
 * Starts a process that never outlives this one, however this one ends. It leads a process group of its own, so that
 * Ctrl-C in the terminal reaches only this process, which decides in which order the others stop.
 */
export function spawnTied(command: string, args: readonly string[], options: TiedOptions): ChildProcess {
  const { deathSignal, user, ...rest } = options;
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  const settings = { ...rest, ...identity, detached: true };
  const setpriv = findSetpriv();
  // setpriv is started as the other user, because the kernel forgets the death signal when the user changes.
  if (setpriv) return spawn(setpriv, ['--pdeathsig', deathSignal, command, ...args], settings);

  return tieByPipe(spawn(command, args, settings), deathSignal);
}

let setpriv: string | undefined | null = null;

// BusyBox has a setpriv without --pdeathsig.
function findSetpriv(): string | undefined {
  if (setpriv !== null) return setpriv;
  const path = findProgram('setpriv');
  const works = path && spawnSync(path, ['--pdeathsig', 'TERM', 'true']).status === 0;
  setpriv = works ? path : undefined;
  return setpriv;
}

/**
 * Starts a shell that reads from this process until it ends, and then sends the signal. It serves systems without
 * setpriv.
 * @public
 */
export function tieByPipe(child: ChildProcess, deathSignal: string): ChildProcess {
  if (child.pid === undefined) return child;
  const script = 'cat > /dev/null; kill -s "$1" "$2"';
  const watcher = spawn('/bin/sh', ['-c', script, 'watcher', deathSignal, String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.once('exit', () => watcher.kill('SIGKILL'));
  return child;
}
