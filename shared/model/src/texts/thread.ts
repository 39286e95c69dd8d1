import { constants, setPriority } from 'node:os';

import { currentThread } from './thread-time.ts';

export interface ThreadTask<Task> {
  /** A module whose function `run` takes the task. */
  filename: string;
  task: Task;
  /** Memory shared with the main thread, to which the number of the thread is written when the task begins. */
  thread: Int32Array;
}

// It runs after the others where processors are scarce, and loads modules so, too. Linux alone has priorities of threads.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

/** Runs a task in a thread of the pool. */
export async function run<Task>({ filename, task, thread }: ThreadTask<Task>): Promise<unknown> {
  const module = await import(filename);
  Atomics.store(thread, 0, currentThread());
  return await module.run(task);
}
