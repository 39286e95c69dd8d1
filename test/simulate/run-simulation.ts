import { type Failure, type Totals, emptyTotals } from './orders.ts';
import { Worker } from './workers.ts';

export interface Extent {
  schedules: number;
  seed: number;
  workers: number;
  /** The guard that is taken out. */
  guard?: string | undefined;
  /** Whether what does not matter is left out of a schedule that fails: it takes as many runs as many a search. */
  isShrunk: boolean;
  readonly say: (line: string) => void;
}

export interface Simulated {
  totals: Totals;
  seconds: number;
  /** The first that failed, and what is left of it without what does not matter; null where it was not shrunk. */
  failure: (Failure & { kept: readonly number[] | null }) | null;
}

/** Few, since all processes end theirs when one has found what fails. */
const schedulesAtOnce = 20;
const saidEveryMs = 10_000;

/** Returns the number of a run's schedule: those of two runs, or days, have nothing in common. */
const seedOf = (seed: number, index: number): number => (Math.imul(seed, 0x9e3779b1) + index) >>> 0;

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

/** Schedules that are being run. */
class Running {
  readonly totals = emptyTotals();
  failure: Failure | null = null;
  private readonly extent: Extent;
  private readonly startMs = performance.now();
  private saidMs = this.startMs;
  private next = 0;

  constructor(extent: Extent) {
    this.extent = extent;
  }

  get seconds(): number {
    return (performance.now() - this.startMs) / 1000;
  }

  /** Has a process run schedules, a few at a time, until all are run or one has failed. */
  readonly work = async (worker: Worker): Promise<void> => {
    const { schedules, seed } = this.extent;
    while (this.next < schedules && !this.failure) {
      const first = this.next;
      const count = Math.min(schedulesAtOnce, schedules - first);
      this.next += count;
      const seeds = Array.from({ length: count }, (_, index) => seedOf(seed, first + index));
      const answer = await worker.obey({ kind: 'run', seeds }, 'ran');
      add(this.totals, answer.totals);
      this.failure ??= answer.failure;
      this.sayProgress();
    }
  };

  private sayProgress(): void {
    if (performance.now() - this.saidMs < saidEveryMs) return;
    this.saidMs = performance.now();
    const { schedules, say } = this.extent;
    say(`${this.totals.schedules} of ${schedules} schedules, ${perHour(this)} an hour`);
  }
}

/** Whether a schedule holds in a process that has all guards. */
export const holdsIn = async (guarded: Worker, seed: number): Promise<boolean> =>
  (await guarded.obey({ kind: 'run', seeds: [seed] }, 'ran')).failure === null;

/** Runs schedules in several processes, until one fails. */
export async function simulate(extent: Extent): Promise<Simulated> {
  const run = new Running(extent);
  const workers = Array.from({ length: extent.workers }, () => new Worker(extent.guard));
  try {
    await Promise.all(workers.map(run.work));
    const { totals, seconds, failure } = run;
    const [first] = workers;
    if (!failure || !first) return { totals, seconds, failure: null };
    if (!extent.isShrunk) return { totals, seconds, failure: { ...failure, kept: null } };
    const { kept, violations } = await first.obey({ kind: 'shrink', seed: failure.seed }, 'shrunk');
    return { totals, seconds, failure: { seed: failure.seed, violations, kept } };
  } finally {
    for (const worker of workers) worker[Symbol.dispose]();
  }
}
