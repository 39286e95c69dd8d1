import { type Failure, type Totals, emptyTotals } from './orders.ts';
import { Worker } from './workers.ts';

export interface Extent {
  schedules: number;
  seed: number;
  workers: number;
  /** The guard that is taken out. */
  guard?: string | undefined;
  readonly say: (line: string) => void;
}

export interface Simulated {
  totals: Totals;
  seconds: number;
  /** The first that failed, and what is left of it without what does not matter. */
  failure: (Failure & { kept: readonly number[] }) | null;
}

const schedulesAtOnce = 100;
const saidEveryMs = 10_000;

/** Returns the number of a run's schedule: those of two runs, or days, have nothing in common. */
export const seedOf = (seed: number, index: number): number => (Math.imul(seed, 0x9e3779b1) + index) >>> 0;

function add(totals: Totals, more: Totals): void {
  totals.schedules += more.schedules;
  totals.steps += more.steps;
  totals.sent += more.sent;
  totals.heard += more.heard;
  totals.told += more.told;
  totals.digest = (totals.digest + more.digest) | 0;
  for (const [kind, count] of Object.entries(more.faults))
    totals.faults[kind] = (totals.faults[kind] ?? 0) + count;
}

export const perHour = ({ totals, seconds }: Pick<Simulated, 'totals' | 'seconds'>): number =>
  Math.round((totals.schedules / seconds) * 3600);

/** Runs schedules in several processes, until one fails. */
export async function simulate({ schedules, seed, workers, guard, say }: Extent): Promise<Simulated> {
  const totals = emptyTotals();
  const startMs = performance.now();
  const seconds = () => (performance.now() - startMs) / 1000;
  let next = 0;
  let saidMs = startMs;
  let failure: Failure | null = null;

  async function work(worker: Worker): Promise<void> {
    while (next < schedules && !failure) {
      const count = Math.min(schedulesAtOnce, schedules - next);
      const seeds = Array.from({ length: count }, (_, index) => seedOf(seed, next + index));
      next += count;
      const answer = await worker.obey({ kind: 'run', seeds }, 'ran');
      add(totals, answer.totals);
      failure ??= answer.failure;
      if (performance.now() - saidMs < saidEveryMs) continue;
      saidMs = performance.now();
      say(
        `${totals.schedules} of ${schedules} schedules, ${perHour({ totals, seconds: seconds() })} an hour`,
      );
    }
  }

  const running = Array.from({ length: workers }, () => new Worker(guard));
  try {
    await Promise.all(running.map(work));
    const taken = seconds();
    const failed = failure as Failure | null;
    const [first] = running;
    if (!failed || !first) return { totals, seconds: taken, failure: null };
    const { kept, violations } = await first.obey({ kind: 'shrink', seed: failed.seed }, 'shrunk');
    return { totals, seconds: taken, failure: { seed: failed.seed, violations, kept } };
  } finally {
    for (const worker of running) worker[Symbol.dispose]();
  }
}
