import { execa } from 'execa';

import { signalAtEnd } from './tied-process.ts';

/** Returns the ids of a process and of all that descend from it. */
async function treeOf(pid: number): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=']);
  const processes = stdout.split('\n').map((line) => line.trim().split(/ +/).map(Number));
  const tree = [pid];
  // The list grows while it is walked.
  for (const parent of tree) {
    for (const [child = 0, itsParent] of processes) if (itsParent === parent) tree.push(child);
  }
  return tree;
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/**
 * Has a server hang with all its processes, and returns what lets it go on. It goes on, too, when this process ends, however
 * that ends: what hangs would not even hear that it shall end.
 */
export async function hang({ pid }: { pid?: number | undefined }): Promise<() => Promise<void>> {
  if (pid === undefined) throw new Error('This server was given by its URL.');
  const stopped = await treeOf(pid);
  signalAll(stopped, 'SIGSTOP');
  const watcher = signalAtEnd(stopped, 'CONT');
  return async () => {
    watcher.kill('SIGKILL');
    signalAll(await treeOf(pid), 'SIGCONT');
  };
}
