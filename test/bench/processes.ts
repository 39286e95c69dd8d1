import type { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { spawnTied } from '@parley/infra';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A program under measurement, in a process of its own. */
export interface Program extends AsyncDisposable {
  port: number;
  /** Where it serves metrics, if it was told to. */
  metricsPort?: number;
  /** Processor time used so far, in seconds. */
  cpuSeconds(): number;
  /** Resident memory, in KiB, once it has stopped moving. */
  settledKib(): Promise<number>;
  /** Resident memory, in MiB: now, or the most so far. */
  memoryMib(kind: 'VmRSS' | 'VmHWM'): number;
}

/**
 * Starts a program below the checkout that prints one JSON line with its port when it is ready. It ends with this process,
 * however this one ends.
 */
export async function startProgram(path: string, env: Record<string, string>): Promise<Program> {
  const child = spawnTied(process.execPath, [`${root}${path}`], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    deathSignal: 'KILL',
  });
  const ready = await new Promise<{ port: number; metrics?: number }>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code} before it was ready.`)));
    child.stdout?.once('data', (line: Buffer) =>
      // Safe: it is the line that our programs print.
      resolve(JSON.parse(line.toString()) as { port: number; metrics?: number }),
    );
  });
  const program = programOf(child, ready.port);
  return ready.metrics === undefined ? program : Object.assign(program, { metricsPort: ready.metrics });
}

/** A program that has been started, whatever it is. `pid` is the process that does the work, if not the program's own. */
export function programOf(child: ChildProcess, port: number, pid = child.pid): Program {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const folder = `/proc/${pid}`;
  const memory = (kind: string) =>
    Number(new RegExp(`${kind}:\\s+(\\d+) kB`).exec(readFileSync(`${folder}/status`, 'utf8'))?.[1] ?? 0);
  const kib = () => memory('VmRSS');
  const nanoseconds = (thread: string) =>
    Number(readFileSync(`${folder}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return {
    port,
    cpuSeconds: () =>
      readdirSync(`${folder}/task`).reduce((sum, thread) => sum + nanoseconds(thread), 0) / 1e9,
    memoryMib: (kind) => Math.round(memory(kind) / 1024),
    async settledKib() {
      let last = kib();
      for (let steady = 0, tries = 0; steady < 3 && tries < 40; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        const now = kib();
        steady = Math.abs(now - last) < 256 ? steady + 1 : 0;
        last = now;
      }
      return last;
    },
    async [Symbol.asyncDispose]() {
      // A master that is killed leaves its workers.
      if (pid !== undefined && pid !== child.pid) process.kill(pid, 'SIGKILL');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
