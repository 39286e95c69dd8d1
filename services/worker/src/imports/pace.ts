import type { ImportProgress } from '@parley/protocol';

/** Progress is told this often. */
const tellEveryMs = 1000;

/** Says how fast the phases of an import go, about once a second. */
export class Pace {
  readonly #tell: (progress: ImportProgress) => void;
  readonly #nowMs: () => number;
  #phase: ImportProgress['phase'] | null = null;
  #startedMs = 0;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(tell: (progress: ImportProgress) => void, nowMs: () => number) {
    this.#tell = tell;
    this.#nowMs = nowMs;
  }

  /** Notes how much of a phase is done, and tells it unless it has told something a moment ago. */
  advance({
    phase,
    done,
    of,
    messages = 0,
  }: Pick<ImportProgress, 'phase' | 'done' | 'of'> & { messages?: number }): void {
    const now = this.#nowMs();
    if (phase !== this.#phase) [this.#phase, this.#startedMs] = [phase, now];
    if (now - this.#toldMs < tellEveryMs) return;
    this.#toldMs = now;
    const seconds = (now - this.#startedMs) / 1000;
    const perSecond = seconds > 0 ? Math.round((messages || done) / seconds) : 0;
    const left = done > 0 && seconds > 0 ? Math.round((seconds * Math.max(0, of - done)) / done) : null;
    this.#tell({ phase, done, of, messages, per_second: perSecond, seconds_left: left });
  }
}
