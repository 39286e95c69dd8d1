import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { counter, histogram, traced } from '@parley/telemetry';

const outcomes = counter(
  'parley_actions_total',
  'Actions by outcome: committed (including messages that had been sent before), retried, refused or failed',
  ['action', 'outcome'],
);
const seconds = histogram(
  'parley_action_seconds',
  'How long committed actions took, including retries',
  [0.005, 0.025, 0.1, 0.5, 2.5, 10],
  ['action'],
);

/** One performance of an action, as metrics count it and errors name it. */
export class Measured {
  readonly #action: string;
  readonly #startedMs = performance.now();

  constructor(action: string) {
    this.#action = action;
  }

  /** Runs the action as a span that bears its name. What fails by no fault of the client bears the action's name, for the log. */
  async run<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      const result = await traced(this.#action, act, { 'parley.action': this.#action });
      this.#count('committed');
      seconds.observe({ action: this.#action }, (performance.now() - this.#startedMs) / 1000);
      return result;
    } catch (error) {
      const isRefusal = error instanceof ApiError || error instanceof model.users.ActorChanged;
      this.#count(isRefusal ? 'refused' : 'failed');
      if (!isRefusal && error instanceof Error && Object.isExtensible(error)) {
        Object.assign(error, { action: this.#action });
      }
      throw error;
    }
  }

  /** It was rolled back, and is run once more. */
  again(): void {
    this.#count('again');
  }

  #count(outcome: 'again' | 'committed' | 'refused' | 'failed'): void {
    outcomes.inc({ action: this.#action, outcome });
  }
}
