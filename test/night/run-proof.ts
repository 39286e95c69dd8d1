import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import { pause } from '@parley/kit';
import { z } from 'zod';

import type { Proof } from './proofs.ts';

export interface Outcome {
  proof: Proof;
  /** `not run`: the command says that it cannot run on this machine. */
  verdict: 'holds' | 'broken' | 'timed out' | 'not run';
  seconds: number;
  /** What the command concluded, in one line. */
  line: string;
}

interface RunOptions {
  /** Program and arguments that run a proof. */
  argvOf: (proof: Proof) => [string, ...string[]];
  /** Takes each line of progress. */
  say: (line: string) => void;
}

/** The last line of a command with --json. */
const Concluded = z.union([
  z.object({ holds: z.boolean(), result: z.string() }),
  z.object({ notRun: z.string() }),
]);

const cannotRunCode = 2;
/** After SIGTERM, a cluster has this long to end. */
const endMsMax = 20_000;

/** Runs a proof with a limit of time, and reads its conclusion. Nothing that it started outlives it. */
export async function runProof(proof: Proof, { argvOf, say }: RunOptions): Promise<Outcome> {
  const [program, ...args] = argvOf(proof);
  const startMs = performance.now();
  // A group of its own can be ended as a whole.
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = endWithUs(child);
  let lastLine = '';
  createInterface(child.stderr).on('line', (line) => {
    if (line.trim() !== '') lastLine = line.trim();
    say(`  ${line}`);
  });
  let stopping: Promise<void> | undefined;
  const limit = setTimeout(() => {
    stopping = endGroup(child);
  }, proof.minutesMax * 60_000);
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      lastLine = error.message;
      resolve(null);
    });
    child.once('exit', resolve);
  });
  const [output, code] = await Promise.all([text(child.stdout), exited]);
  clearTimeout(limit);
  ended[Symbol.dispose]();
  const seconds = Math.round((performance.now() - startMs) / 1000);
  if (stopping) {
    await stopping;
    const line = `It was stopped after ${proof.minutesMax} minutes. ${lastLine}`.trim();
    return { proof, verdict: 'timed out', seconds, line };
  }
  return { proof, seconds, ...judge(code, output, lastLine) };
}

function judge(code: number | null, output: string, lastLine: string): Pick<Outcome, 'verdict' | 'line'> {
  const concluded = readConclusion(output);
  if (concluded && 'notRun' in concluded && code === cannotRunCode) {
    return { verdict: 'not run', line: concluded.notRun };
  }
  if (concluded && 'result' in concluded) {
    const holds = concluded.holds && code === 0;
    return { verdict: holds ? 'holds' : 'broken', line: concluded.result };
  }
  return { verdict: 'broken', line: `It ended with ${code} and no conclusion. ${lastLine}`.trim() };
}

function readConclusion(output: string): z.infer<typeof Concluded> | undefined {
  try {
    return Concluded.parse(JSON.parse(output.trimEnd().split('\n').at(-1) ?? ''));
  } catch {
    return undefined;
  }
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(-pid, name);
  } catch {
    // The group is gone already.
    return false;
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  signal(child, 'SIGTERM');
  const untilMs = performance.now() + endMsMax;
  while (signal(child, 'SIGCONT') && performance.now() < untilMs) await pause(100);
  signal(child, 'SIGKILL');
}

/** Ends a group when this process is told to end. */
function endWithUs(child: ChildProcess): Disposable {
  const end = () => void endGroup(child).then(() => process.exit(1));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end);
  return {
    [Symbol.dispose]() {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
    },
  };
}
