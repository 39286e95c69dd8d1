import { type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { spawnTied } from '@parley/infra';
import { pause } from '@parley/kit';

import { root } from '../versions/history.ts';

const program = join(root, 'services/cli/bin/parley.js');
const lookEveryMs = 50;

/** What became of a run of the command. */
export interface Run {
  /** Whether it ended by itself. */
  isEnded: boolean;
  code: number | null;
  stderr: string;
  seconds: number;
  /** When it first said something. */
  startSeconds: number;
  /** How long it took from the moment at which the archive of this product was there. */
  importSeconds: number;
  memoryMebibytes: number;
}

export interface RunOptions {
  archive: string;
  files?: string | undefined;
  /** The organization that it comes into; without one, it becomes one called acme. */
  into?: string | undefined;
  env: Readonly<Record<string, string>>;
  /** When it is killed, in seconds after its start. */
  killAfter?: number | undefined;
}

/** Runs `parley import` as a process, which nothing is told before it is killed. */
export async function runImport({ archive, files, into, env, killAfter }: RunOptions): Promise<Run> {
  const given = files === undefined ? [] : ['--files', files];
  const place = into === undefined ? ['--name', 'acme'] : ['--into', into];
  const startedMs = performance.now();
  const child = spawnTied(process.execPath, [program, 'import', archive, ...place, ...given], {
    deathSignal: 'KILL',
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = new Said();
  child.stderr?.on('data', (text: Buffer) => said.add(text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const memoryMebibytes = await watch(child, startedMs, killAfter);
  const code = await ended;
  const secondsUntil = (ms: number) => (ms - startedMs) / 1000;
  const seconds = secondsUntil(performance.now());
  return {
    // Who is killed has no code.
    isEnded: code !== null,
    code,
    stderr: said.text,
    seconds,
    startSeconds: secondsUntil(said.firstMs),
    importSeconds: seconds - secondsUntil(said.importingMs),
    memoryMebibytes,
  };
}

/** What a process has said, and when. */
class Said {
  text = '';
  firstMs = Number.NaN;
  importingMs = Number.NaN;

  add(text: string): void {
    if (this.text === '') this.firstMs = performance.now();
    this.text += text;
    const isImporting = this.text.includes('Verifying the archive');
    if (isImporting && Number.isNaN(this.importingMs)) this.importingMs = performance.now();
  }
}

/** Waits for the end of a process, and kills it at its moment. Answers with how much memory it had. */
async function watch(child: ChildProcess, startedMs: number, killAfter: number | undefined): Promise<number> {
  let memory = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    const leftMs = killAfter === undefined ? Infinity : startedMs + killAfter * 1000 - performance.now();
    if (leftMs <= 0) {
      child.kill('SIGKILL');
      break;
    }
    await pause(Math.min(lookEveryMs, leftMs));
  }
  return Math.round(memory);
}
