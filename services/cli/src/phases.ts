import type { Writable } from 'node:stream';

/** How often a phase is shown where nothing can be written over. */
const showEveryMs = 10_000;
const terminalEveryMs = 500;

/** Shows how far the phases of a long command are: how many are done, how many a second, and how long the rest takes. */
export class Phases implements Disposable {
  readonly #output: Writable & { isTTY?: boolean };
  readonly #nowMs: () => number;
  #phase = '';
  #startedMs = 0;
  #shownMs = 0;
  #last = '';

  constructor(output: Writable & { isTTY?: boolean }, nowMs: () => number) {
    this.#output = output;
    this.#nowMs = nowMs;
  }

  /** Shows a phase: `count` things so far, and which part of the phase is done. */
  advance(
    phase: string,
    { count, unit, done, of }: { count: number; unit: string; done: number; of: number },
  ): void {
    const now = this.#nowMs();
    if (phase !== this.#phase) {
      this.#end();
      [this.#phase, this.#startedMs, this.#shownMs] = [phase, now, 0];
    }
    const seconds = (now - this.#startedMs) / 1000;
    const rate = seconds > 0 ? Math.round(count / seconds) : count;
    const left = done > 0 ? Math.round((seconds * (of - done)) / done) : null;
    const rest = left === null || done >= of ? '' : `, ${left} s left`;
    this.#last = `${phase}: ${count} ${unit}, ${rate} a second${rest}`;
    if (now - this.#shownMs < (this.#output.isTTY === true ? terminalEveryMs : showEveryMs)) return;
    this.#shownMs = now;
    if (this.#output.isTTY === true) this.#output.write(`\r\u001B[2K${this.#last}`);
    else this.#output.write(`${this.#last}\n`);
  }

  [Symbol.dispose](): void {
    this.#end();
  }

  #end(): void {
    if (this.#phase === '') return;
    this.#output.write(this.#output.isTTY === true ? `\r\u001B[2K${this.#last}\n` : `${this.#last}\n`);
    this.#phase = '';
  }
}
