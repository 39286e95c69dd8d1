import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { repoRoot } from '@parley/infra';

const program = join(repoRoot(), 'services/cli/bin/parley.js');

/** Runs a command as operators do. It may be killed after a while. Returns what it ended with and what it printed. */
export async function runCommand(
  args: readonly string[],
  { env, killedAfterMs }: { env: NodeJS.ProcessEnv; killedAfterMs?: number | undefined },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (printed[stream] += text));
  }
  const killing =
    killedAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(killing);
  return { code, ...printed };
}
