type Listener = () => void;

const aborted = new DOMException('This operation was aborted', 'AbortError');

/**
 * As an AbortSignal that a controller, a timer or other signals abort. Those of Node cost a tenth of a schedule: they are
 * made to be passed between realms of JavaScript, and to be forgotten while they are still listened to.
 */
class SimulatedSignal {
  aborted = false;
  reason: unknown = undefined;
  private readonly listeners = new Set<Listener>();
  private readonly dependents: SimulatedSignal[] = [];

  static any(signals: readonly SimulatedSignal[]): SimulatedSignal {
    const made = new SimulatedSignal();
    const before = signals.find((signal) => signal.aborted);
    if (before) made.abort(before.reason);
    else for (const signal of signals) signal.dependents.push(made);
    return made;
  }

  addEventListener(_type: 'abort', listener: Listener): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.listeners.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.listeners) listener();
    for (const dependent of this.dependents) dependent.abort(reason);
  }
}

class SimulatedController {
  readonly signal = new SimulatedSignal();

  abort(reason: unknown = aborted): void {
    this.signal.abort(reason);
  }
}

const tooLate = new DOMException('Too late.', 'TimeoutError');

/** Returns what stands for AbortController and AbortSignal, where `after` is what lets something happen after a while. */
export const signalsOf = (after: (ms: number, work: () => void) => void) => ({
  AbortController: SimulatedController,
  AbortSignal: Object.assign(SimulatedSignal, {
    timeout(ms: number): SimulatedSignal {
      const signal = new SimulatedSignal();
      after(ms, () => signal.abort(tooLate));
      return signal;
    },
  }),
});
