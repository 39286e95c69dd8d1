import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ticksPerSecond = 100;

/** A program under measurement, in a process of its own. */
export interface Program extends AsyncDisposable {
  port: number;
  /** Processor time used so far, in seconds. */
  cpuSeconds(): number;
  /** Resident memory, in KiB, once it has stopped moving. */
  settledKib(): Promise<number>;
}

/** Starts a program below the checkout that prints one JSON line with its port when it is ready. */
export async function startProgram(path: string, env: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, [`${root}${path}`], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code} before it was ready.`)));
    child.stdout.once('data', (line: Buffer) =>
      resolve((JSON.parse(line.toString()) as { port: number }).port),
    );
  });
  const { pid } = child;
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const kib = () => Number(/VmRSS:\s+(\d+) kB/.exec(read('status'))?.[1] ?? 0);
  return {
    port,
    cpuSeconds() {
      const fields = read('stat')
        .slice(read('stat').lastIndexOf(')') + 2)
        .split(' ');
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    },
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
      child.kill('SIGKILL');
      await ended;
    },
  };
}
