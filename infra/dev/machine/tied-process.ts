import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';

import { findProgram } from './find-program.ts';
import type { ServerUser } from './server-user.ts';

export interface TiedOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'> {
  /** What the process gets when we die without having stopped it. */
  deathSignal: 'INT' | 'KILL' | 'TERM';
  user?: ServerUser | undefined;
}

/**
 * Starts a process that does not outlive us, however we end. It leads a process group of its own, so that
 * Ctrl-C in the terminal reaches only us and we decide the order in which things stop.
 */
export function spawnTied(command: string, args: readonly string[], options: TiedOptions): ChildProcess {
  const { deathSignal, user, ...rest } = options;
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  const settings = { ...rest, ...identity, detached: true };
  const setpriv = findSetpriv();
  // setpriv is started as the other user: the kernel forgets the death signal when the user changes.
  if (setpriv) return spawn(setpriv, ['--pdeathsig', deathSignal, command, ...args], settings);

  return tieByPipe(spawn(command, args, settings), deathSignal);
}

let setpriv: string | undefined | null = null;

// BusyBox has a setpriv that knows no --pdeathsig.
function findSetpriv(): string | undefined {
  if (setpriv !== null) return setpriv;
  const found = findProgram('setpriv');
  const works = found && spawnSync(found, ['--pdeathsig', 'TERM', 'true']).status === 0;
  setpriv = works ? found : undefined;
  return setpriv;
}

/**
 * A shell that reads from us until we are gone, and then sends the signal. For systems without setpriv.
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
