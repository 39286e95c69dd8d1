import { type ChildProcess, fork } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { ArchivePlan, ImportProgress, ImportRefusal } from '@parley/protocol';

import type { ImportMessage, ImportTask } from './task.ts';

/** A process that has said nothing for so long hangs. */
const silentMsMax = 300_000;
const measureEveryMs = 5_000;
/** The end of what a process writes to its standard error, for the log. */
const stderrLength = 4_000;

/** What became of an archive. */
export type ImportOutcome = { plan: ArchivePlan } | { refusal: ImportRefusal };

interface ImportOptions {
  /** Where the process keeps its temporary files, beside what is there already. */
  folder: string;
  /** Is called about once a second. */
  readonly onProgress: (progress: ImportProgress) => void;
  /** Ends the process. */
  signal: AbortSignal;
}

/** Reads archives, each in a process of its own: so that they take neither time nor memory of other jobs. */
export interface Importer {
  /** Rejects for what may be tried again, and when it was aborted. */
  run(task: ImportTask, options: ImportOptions): Promise<ImportOutcome>;
}

/** Creates an importer. Its processes read the same settings as the worker, and may fill so much of the disk. */
export function createImporter({
  env,
  diskBytesMax,
}: {
  env: NodeJS.ProcessEnv;
  diskBytesMax: number | null;
}): Importer {
  return {
    async run(task, options) {
      // The built file, also where the sources run: a process cannot load those.
      const program = createRequire(import.meta.url).resolve('@parley/worker/import-process');
      const child = fork(program, [], {
        env: { ...env, TMPDIR: options.folder },
        execArgv: [],
        // What it logs is the worker's.
        stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
        serialization: 'advanced',
      });
      using watch = new Watch(child, options, diskBytesMax);
      child.send(task);
      return await watch.outcome;
    },
  };
}

/** Listens to a process, and ends it when it hangs, fills the disk, or is not wanted any more. */
class Watch implements Disposable {
  readonly outcome: Promise<ImportOutcome>;
  readonly #child: ChildProcess;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #signal: AbortSignal;
  readonly #kill = () => void this.#child.kill('SIGKILL');
  #heardMs = Date.now();
  #stderr = '';
  #end: ImportOutcome | Error | null = null;

  constructor(
    child: ChildProcess,
    { folder, onProgress, signal }: ImportOptions,
    diskBytesMax: number | null,
  ) {
    this.#child = child;
    this.#signal = signal;
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => (this.#stderr = (this.#stderr + text).slice(-stderrLength)));
    child.on('message', (message: ImportMessage) => this.#hear(message, onProgress));
    signal.addEventListener('abort', this.#kill);
    if (signal.aborted) this.#kill();
    this.#timers.push(setInterval(() => this.#checkLife(), measureEveryMs));
    if (diskBytesMax !== null) {
      this.#timers.push(setInterval(() => void this.#checkDisk(folder, diskBytesMax), measureEveryMs));
    }
    this.outcome = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, killed) => {
        const end = this.#end ?? new Error(`The import ended with ${killed ?? code}. ${this.#stderr}`);
        if (signal.aborted) reject(signal.reason as Error);
        else if (end instanceof Error) reject(end);
        else resolve(end);
      });
    });
  }

  #hear(message: ImportMessage, onProgress: ImportOptions['onProgress']): void {
    this.#heardMs = Date.now();
    if (message.type === 'progress') onProgress(message.progress);
    if (message.type === 'done') this.#end ??= { plan: message.plan };
    if (message.type === 'refused') this.#end ??= { refusal: message.refusal };
    if (message.type === 'failed') this.#end ??= new Error(message.message);
  }

  #checkLife(): void {
    if (Date.now() - this.#heardMs < silentMsMax) return;
    this.#end ??= new Error('The import hangs.');
    this.#kill();
  }

  async #checkDisk(folder: string, bytesMax: number): Promise<void> {
    if ((await bytesIn(folder)) <= bytesMax) return;
    this.#end ??= { refusal: { code: 'no_room', values: {} } };
    this.#kill();
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#signal.removeEventListener('abort', this.#kill);
    this.#kill();
  }
}

/** How many bytes the files below a folder have. Files come and go meanwhile. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
