import type { Clock } from '@parley/kit';

const firstMs = 500;
const mostMs = 30_000;

/** Says whether something outside is asked: after a failure not for a while, which doubles, with jitter, until it answers. */
export class Circuit {
  private readonly clock: Clock;
  private failures = 0;
  private closedFromMs = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get isOpen(): boolean {
    return this.clock.nowMs() < this.closedFromMs;
  }

  succeeded(): void {
    this.failures = 0;
    this.closedFromMs = 0;
  }

  failed(): void {
    const ceilingMs = Math.min(mostMs, firstMs * 2 ** Math.min(this.failures, 10));
    this.failures += 1;
    this.closedFromMs = this.clock.nowMs() + ceilingMs * (0.5 + Math.random() / 2);
  }
}
