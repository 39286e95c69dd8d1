import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Second } from '../recorder.ts';
import type { Collected, Command, Orders, Report } from './messages.ts';

/** Processes of clients, as one. */
export interface Clients extends AsyncDisposable {
  readonly pids: readonly number[];
  /** Tells all of them, and resolves when all have done it. */
  tell(command: Exclude<Command, { kind: 'collect' }>): Promise<void>;
  collect(): Promise<Collected>;
  /** Events that were heard so far, and sends that were acknowledged. */
  readonly heard: number;
  readonly acknowledged: number;
}

interface ClientProcess {
  child: ChildProcess;
  heard: number;
  acknowledged: number;
  /** Resolves with the end of what it was told. */
  readonly done: () => Promise<Collected | undefined>;
}

export async function startClients(
  orders: readonly Orders[],
  onSecond: (second: Second) => void,
): Promise<Clients> {
  const processes = orders.map((order) => start(order, onSecond));
  await Promise.all(processes.map(({ done }) => done()));
  const tellAll = (command: Command) =>
    Promise.all(
      processes.map(({ child, done }) => {
        const ended = done();
        child.send(command);
        return ended;
      }),
    );
  const sum = (what: 'heard' | 'acknowledged') => processes.reduce((total, one) => total + one[what], 0);
  return {
    pids: processes.flatMap(({ child }) => child.pid ?? []),
    async tell(command) {
      await tellAll(command);
    },
    async collect() {
      const all = await tellAll({ kind: 'collect' });
      return {
        clients: all.flatMap((one) => one?.clients ?? []),
        sends: all.flatMap((one) => one?.sends ?? []),
      };
    },
    get heard() {
      return sum('heard');
    },
    get acknowledged() {
      return sum('acknowledged');
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of processes) child.kill('SIGKILL');
    },
  };
}

function start(orders: Orders, onSecond: (second: Second) => void): ClientProcess {
  const program = fileURLToPath(new URL('client-main.js', import.meta.url));
  const child = fork(program, { serialization: 'advanced' });
  let settle: { resolve(collected?: Collected): void; reject(error: Error): void } | null = null;
  const client: ClientProcess = {
    child,
    heard: 0,
    acknowledged: 0,
    done: () =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
      }),
  };
  child.on('message', (message) => {
    // Safe: the process says nothing else.
    const report = message as Report;
    if (report.kind === 'done') return settle?.resolve(report.collected);
    client.heard = report.heard;
    client.acknowledged = report.acknowledged;
    onSecond(report.second);
  });
  child.once('exit', (code) => settle?.reject(new Error(`A process of clients ended with ${code}.`)));
  child.send(orders);
  return client;
}
