import { createRequire } from 'node:module';

import { createFairLimit } from '@parley/kit';
import { notReady } from '@parley/protocol';
import { Piscina } from 'piscina';

import { readProcessorMs } from './thread-time.ts';
import type { ThreadTask } from './thread.ts';

/** Tasks that may wait for a thread: in all, and of one author. */
const waitingMax = { all: 1000, ofKey: 50 };
/** The time that a task has taken is looked at as often. */
const lookMsMax = 100;

export interface ThreadsOptions<Result> {
  /** A built module whose function `run` takes a task and returns its result. */
  filename: string;
  threadsMax: number;
  /** The processor time that a thread may take for one task. Then the thread is ended. */
  deadlineMs: number;
  /** The time after which a thread is ended that had no processor for that long. */
  waitMsMax: number;
  /** How long an author rests at least after a task with such a result. */
  readonly restMsOf?: (result: Result) => number;
}

/** Threads for computations on the texts of authors. */
export interface Threads<Task, Result> {
  /**
   * Runs a task. One task of an author is run at a time, and after it the author's next one waits for three times as long
   * as it took, or longer, so that nobody pays for all the tasks of somebody else.
   *
   * @throws SERVER_NOT_READY when too many tasks wait, or the machine has no time for the task
   * @throws whatever the task throws, and an `AbortError` after the deadline
   */
  run(authorId: number, task: Task): Promise<Result>;
}

/** Threads are started when they are first needed. They do not keep a process alive. */
export function createThreads<Task, Result>({
  filename,
  threadsMax,
  deadlineMs,
  waitMsMax,
  restMsOf,
}: ThreadsOptions<Result>): Threads<Task, Result> {
  const pool = new Piscina<ThreadTask<Task>, Result>({
    // The built file, also where the sources run: a thread cannot load those.
    filename: createRequire(import.meta.url).resolve('@parley/model/thread'),
    name: 'run',
    minThreads: 0,
    maxThreads: threadsMax,
    // A thread that has worked holds some 60 MiB, and another one has loaded its modules after 90 ms.
    idleTimeout: 10_000,
    // Threads run built files, whatever the process was told about finding sources.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 },
  });
  // A thread that ends without a task is replaced; one that has a task fails the task.
  pool.on('error', () => undefined);
  const limit = createFairLimit<number>({ atOnce: threadsMax, waitingMax });

  async function runNow(task: Task): Promise<Result> {
    const thread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const ending = new AbortController();
    const isLate = createDeadline(thread, deadlineMs);
    const startMs = performance.now();
    let isStarved = false;
    const looking = setInterval(
      () => {
        isStarved = performance.now() - startMs > waitMsMax;
        if (isStarved || isLate()) ending.abort();
      },
      Math.min(lookMsMax, deadlineMs),
    );
    try {
      return await pool.run({ filename, task, thread }, { signal: ending.signal });
    } catch (error) {
      throw isStarved ? notReady('texts') : error;
    } finally {
      clearInterval(looking);
    }
  }

  return {
    async run(authorId, task) {
      if (limit.isFull(authorId)) throw notReady('texts');
      return await limit.run(authorId, () => runNow(task), restMsOf && { msOf: restMsOf });
    },
  };
}

/**
 * Whether the task of a thread has taken its time. Neither waiting nor loading modules counts: nobody pays for what others
 * have sent, or for a machine that has much to do.
 */
function createDeadline(thread: Int32Array, deadlineMs: number): () => boolean {
  let startMs: number | undefined;
  return () => {
    const number = Atomics.load(thread, 0);
    if (number === 0) return false;
    const nowMs = readProcessorMs(number);
    startMs ??= nowMs;
    return nowMs - startMs > deadlineMs;
  };
}
