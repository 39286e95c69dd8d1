import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';

import { backoffMs, pause, systemClock } from '@parley/kit';

import type { Say } from './say.ts';

export interface Program {
  /** The name that is shown to people, such as `queue-2`. */
  name: string;
  spawn(): ChildProcess;
  /** Resolves once the process serves. The signal aborts when it took too long or the process has ended. */
  ready(child: ChildProcess, signal: AbortSignal): Promise<unknown>;
  readyMsMax: number;
  /** The signal that asks the process to end. After 15 s it gets SIGKILL. */
  stopSignal: NodeJS.Signals;
}

interface Running {
  child: ChildProcess;
  /** How the process ended, in words. Never rejects. */
  ended: Promise<string>;
}

const stopMsMax = 15_000;
// After running for longer than this, the next restart is immediate again.
const steadyMs = 10_000;
const restartBackoff = { firstMs: 200, maxMs: 5_000 };

/** A process that is kept running: when it ends without being asked to, this is reported and it is started again. */
export class Supervised implements AsyncDisposable {
  readonly #program: Program;
  readonly #say: Say;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #running: Running | undefined;
  #ready = false;
  #lifetime: AbortController | undefined;
  #restartLoop: Promise<void> = Promise.resolve();

  constructor(program: Program, say: Say) {
    this.#program = program;
    this.#say = say;
  }

  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  /** False before the first start and after a stop. */
  get isWanted(): boolean {
    return this.#lifetime !== undefined;
  }

  /** Adds a listener that is called whenever the pid or the readiness changes. */
  onChange(listener: () => void): void {
    this.#events.on('change', listener);
  }

  /** Resolves when the process serves. If the first start fails, it is not tried again. */
  async start(): Promise<void> {
    if (this.#lifetime) return;
    this.#lifetime = new AbortController();
    const running = this.#spawn();
    const failure = await this.#waitUntilReady(running);
    if (failure) {
      this.#lifetime = undefined;
      this.#clearRunning();
      throw failure;
    }
    this.#restartLoop = this.#restartWhenEnded(running, this.#lifetime.signal);
  }

  /** Resolves when the process has ended. */
  async stop(): Promise<void> {
    this.#lifetime?.abort();
    this.#lifetime = undefined;
    const running = this.#running;
    if (running) {
      this.kill(this.#program.stopSignal);
      const late = setTimeout(() => killGroup(running.child), stopMsMax);
      await running.ended;
      clearTimeout(late);
      killGroup(running.child);
    }
    await this.#restartLoop;
  }

  kill(signal: NodeJS.Signals): void {
    this.#running?.child.kill(signal);
    if (signal !== 'SIGKILL') return;
    // Its end has not been noticed yet, but a caller that waits for readiness from now on means its successor.
    this.#ready = false;
    this.#events.emit('change');
  }

  async whenReady(): Promise<void> {
    while (!this.#ready) await once(this.#events, 'change');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #restartWhenEnded(first: Running, signal: AbortSignal): Promise<void> {
    let running = first;
    let restarts = 0;
    let startedMs = systemClock.nowMs();
    for (;;) {
      const how = await running.ended;
      killGroup(running.child);
      this.#clearRunning();
      if (systemClock.nowMs() - startedMs > steadyMs) restarts = 0;
      if (restarts > 0) await pause(backoffMs(restarts, restartBackoff), signal);
      if (signal.aborted) return;

      const ended = `${this.#program.name} (pid ${running.child.pid})`;
      restarts += 1;
      startedMs = systemClock.nowMs();
      running = this.#spawn();
      this.#say(`${ended} ${how}; restarting as pid ${running.child.pid}`);
      await this.#waitUntilReady(running);
    }
  }

  #spawn(): Running {
    const child = this.#program.spawn();
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started (${error.message})`));
      child.once('exit', (code, signal) =>
        resolve(signal ? `was killed by ${signal}` : `ended with exit code ${code}`),
      );
    });
    this.#running = { child, ended };
    this.#events.emit('change');
    return this.#running;
  }

  /** Waits until the process serves. If it does not, it is killed and the error is returned. */
  async #waitUntilReady({ child, ended }: Running): Promise<Error | undefined> {
    const { name, readyMsMax } = this.#program;
    const giveUp = new AbortController();
    const late = setTimeout(() => giveUp.abort(), readyMsMax);
    try {
      await Promise.race([
        this.#program.ready(child, giveUp.signal),
        ended.then((how) => Promise.reject(new Error(`${name} ${how} before it was ready`))),
        once(giveUp.signal, 'abort').then(() =>
          Promise.reject(new Error(`${name} was not ready within ${readyMsMax / 1000} s`)),
        ),
      ]);
      this.#ready = true;
      this.#events.emit('change');
      return undefined;
    } catch (error) {
      killGroup(child);
      await ended;
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      clearTimeout(late);
      giveUp.abort();
    }
  }

  #clearRunning(): void {
    this.#running = undefined;
    this.#ready = false;
    this.#events.emit('change');
  }
}

// Kills the process group, because nginx's workers keep running when only their master is killed.
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has no process any more.
  }
}
