import { createRequire } from 'node:module';

import { WorkStarved, FairQueue, runBounded } from '@parley/kit';
import { notReady } from '@parley/protocol';
import { Tinypool } from 'tinypool';

import { readProcessorMs } from './thread-time.ts';
import type { ThreadTask } from './thread.ts';

/** Tasks that may wait for a thread: in all, and of one author. */
const waitingMax = { all: 1000, ofCaller: 50 };

export interface ThreadsOptions<Result> {
  /** A built module whose function `run` takes a task and returns its result. */
  filename: string;
  threadsMax: number;
  /** The processor time that a thread may take for one task. Then the thread is ended. */
  deadlineMs: number;
  /** The time after which a thread is ended that had no processor for that long. */
  waitMsMax: number;
  /** What an author is charged for at least after a task with such a result, in milliseconds. */
  readonly chargeMsOf?: (result: Result) => number;
}

/** Threads for computations on the texts of authors. */
export interface Threads<Task, Result> {
  /**
   * Runs a task. One task of an author is run at a time, and the tasks of all have fair shares of the threads, so that
   * nobody pays for all the tasks of somebody else.
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
  chargeMsOf,
}: ThreadsOptions<Result>): Threads<Task, Result> {
  const pool = new Tinypool({
    runtime: 'worker_threads',
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
  const queue = new FairQueue({ atOnce: { all: threadsMax, ofCaller: 1 }, waitingMax });

  async function runNow(task: Task): Promise<Result> {
    const thread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    // Neither waiting nor loading modules counts: nobody pays for what others have sent.
    const processorMs = () => {
      const number = Atomics.load(thread, 0);
      return number === 0 ? undefined : readProcessorMs(number);
    };
    const threadTask: ThreadTask<Task> = { filename, task, thread };
    try {
      return await runBounded(
        { processorMs, processorMsMax: deadlineMs, waitMsMax },
        (signal) =>
          // Safe: the module of this name is the caller's, and so is what it returns.
          pool.run(threadTask, { signal }) as Promise<Result>,
      );
    } catch (error) {
      throw error instanceof WorkStarved ? notReady('texts') : error;
    }
  }

  return {
    async run(authorId, task) {
      const author = { key: authorId };
      if (queue.isFull(author)) throw notReady('texts');
      return await queue.run(author, () => runNow(task), chargeMsOf && { msOf: chargeMsOf });
    },
  };
}
