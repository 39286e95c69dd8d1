import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { Socket } from 'node:net';

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
 * Has a signal sent to a process when this one ends. It serves systems without setpriv.
 * @public
 */
export function tieByPipe(child: ChildProcess, deathSignal: string): ChildProcess {
  if (child.pid === undefined) return child;
  const watcher = signalAtEnd([child.pid], deathSignal);
  child.once('exit', () => watcher.kill('SIGKILL'));
  return child;
}

/** Starts a shell that reads from this process until it ends, however it ends, and then sends a signal. It keeps nobody from ending. */
export function signalAtEnd(pids: readonly number[], signal: string): ChildProcess {
  const script = 'cat > /dev/null; for pid; do kill -s "$0" "$pid"; done';
  const watcher = spawn('/bin/sh', ['-c', script, signal, ...pids.map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  if (watcher.stdin instanceof Socket) watcher.stdin.unref();
  return watcher;
}
