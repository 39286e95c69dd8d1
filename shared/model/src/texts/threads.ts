import { createFairLimit } from '@parley/kit';
import { notReady } from '@parley/protocol';
import { Piscina } from 'piscina';

/** Tasks that may wait for a thread: in all, and of one author. */
const waitingMax = { all: 1000, ofKey: 50 };

export interface ThreadsOptions {
  /** A module whose function `run` takes a task and returns its result. */
  filename: string;
  threadsMax: number;
  /** The time that a thread may take for one task. Then the thread is ended. */
  deadlineMs: number;
}

/** Threads for computations on the texts of authors. */
export interface Threads<Task, Result> {
  /**
   * Runs a task. One task of an author is run at a time, and after it the author's next one waits for as long as it took,
   * so that nobody pays for all the tasks of somebody else.
   *
   * @throws SERVER_NOT_READY when too many tasks wait
   * @throws whatever the task throws, and an `AbortError` after the deadline
   */
  run(authorId: number, task: Task): Promise<Result>;
}

/** Threads are started when they are first needed. They do not keep a process alive. */
export function createThreads<Task, Result>({
  filename,
  threadsMax,
  deadlineMs,
}: ThreadsOptions): Threads<Task, Result> {
  const pool = new Piscina<Task, Result>({
    filename,
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
  // The time does not run while a task waits: nobody pays for what others have sent.
  const runNow = (task: Task) => pool.run(task, { signal: AbortSignal.timeout(deadlineMs) });

  return {
    async run(authorId, task) {
      if (limit.isFull(authorId)) throw notReady('texts');
      return await limit.run(authorId, () => runNow(task));
    },
  };
}
