import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Answer, Order } from './orders.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A process that simulates. */
export class Worker implements Disposable {
  private readonly process: ChildProcess;
  private readonly ready: Promise<Answer>;

  /** Starts one, without a guard if that is named. */
  constructor(guard: string | undefined) {
    this.process = fork(path('./worker-main.js'), {
      // A young generation in which a schedule has room: most of what it makes is gone with it.
      execArgv: [
        '--max-semi-space-size=128',
        ...(guard === undefined ? [] : ['--import', path('./break.js')]),
      ],
      env: { ...process.env, ...(guard !== undefined && { PARLEY_GUARD: guard }) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.ready = this.next();
  }

  private next(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { process: child } = this;
      const settle = (work: () => void) => {
        child.off('message', onMessage);
        child.off('exit', onExit);
        work();
      };
      const onMessage = (answer: Answer) => settle(() => resolve(answer));
      const onExit = () => settle(() => reject(new Error('A process that simulates has ended.')));
      child.on('message', onMessage);
      child.on('exit', onExit);
    });
  }

  /** One order at a time. */
  async obey<Kind extends Answer['kind']>(
    order: Order,
    kind: Kind,
  ): Promise<Extract<Answer, { kind: Kind }>> {
    await this.ready;
    const answer = this.next();
    this.process.send(order);
    const given = await answer;
    if (given.kind !== kind) throw new Error(`A process that simulates answered with ${given.kind}.`);
    // Safe: its kind has just been looked at.
    return given as Extract<Answer, { kind: Kind }>;
  }

  [Symbol.dispose](): void {
    this.process.kill();
  }
}
