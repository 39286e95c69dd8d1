import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

import { bundledEntry, repoRoot } from '@parley/infra';
import { pause } from '@parley/kit';

/** As the image has it. */
const program = bundledEntry(repoRoot(), 'cli');

const lookEveryMs = 5;

/** Runs a command as operators do. It may be killed after a while, or once something is so. Returns what it ended with and what it printed. */
export async function runCommand(
  args: readonly string[],
  {
    env,
    killedAfterMs,
    killedWhen,
  }: {
    env: NodeJS.ProcessEnv;
    killedAfterMs?: number | undefined;
    killedWhen?: () => Promise<boolean>;
  },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Operators run it elsewhere, where it takes no processor from the servers.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (printed[stream] += text));
  }
  const killing =
    killedAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const mayKill = killedWhen ?? (() => closed.then(() => false));
  while (isRunning()) {
    if (await mayKill()) child.kill('SIGKILL');
    await pause(lookEveryMs);
  }
  const code = await closed;
  clearTimeout(killing);
  return { code, ...printed };
}
