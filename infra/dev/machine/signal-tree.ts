import { execa } from 'execa';

/** Sends a signal to a process and to all that descend from it. */
async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=']);
  const processes = stdout.split('\n').map((line) => line.trim().split(/ +/).map(Number));
  const tree = [pid];
  // The list grows while it is walked.
  for (const parent of tree) {
    for (const [child = 0, itsParent] of processes) if (itsParent === parent) tree.push(child);
  }
  for (const one of tree) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Has a server hang with all its processes, and returns what lets it go on. */
export async function hang({ pid }: { pid?: number | undefined }): Promise<() => Promise<void>> {
  if (pid === undefined) throw new Error('This server was given by its URL.');
  await signalTree(pid, 'SIGSTOP');
  return () => signalTree(pid, 'SIGCONT');
}
