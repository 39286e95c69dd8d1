import { createTurns } from '@parley/kit';
import { notReady } from '@parley/protocol';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';

/** Tasks that may wait for a thread: in all, and of one author. */
const waitingMax = { all: 1000, ofAuthor: 50 };

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
   * Runs a task. One task of an author is run at a time, so that nobody waits for all the tasks of somebody else.
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
  const atOnce = pLimit(threadsMax);
  const ofAuthors = createTurns<number>({ atOnce: 1, waitingMax: waitingMax.ofAuthor });
  // The time does not run while a task waits: nobody pays for what others have sent.
  const runNow = (task: Task) => pool.run(task, { signal: AbortSignal.timeout(deadlineMs) });

  return {
    async run(authorId, task) {
      if (atOnce.pendingCount >= waitingMax.all || ofAuthors.isFull(authorId)) throw notReady('texts');
      return await ofAuthors.take(authorId, () => atOnce(() => runNow(task)));
    },
  };
}
