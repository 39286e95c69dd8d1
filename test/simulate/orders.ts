/** What a process that simulates is told to do. */
export type Order =
  | { kind: 'run'; seeds: readonly number[] }
  | { kind: 'shrink'; seed: number }
  | { kind: 'replay'; seed: number; kept: readonly number[] | null };

/** What schedules came to, together. */
export interface Totals {
  schedules: number;
  steps: number;
  sent: number;
  heard: number;
  told: number;
  digest: number;
  faults: Record<string, number>;
}

export interface Failure {
  seed: number;
  violations: readonly string[];
}

/** What it answers. */
export type Answer =
  | { kind: 'ready' }
  | { kind: 'ran'; totals: Totals; failure: Failure | null }
  | { kind: 'shrunk'; kept: readonly number[]; violations: readonly string[] }
  | { kind: 'replayed'; steps: readonly string[]; violations: readonly string[]; digest: number };

export const emptyTotals = (): Totals => ({
  schedules: 0,
  steps: 0,
  sent: 0,
  heard: 0,
  told: 0,
  digest: 0,
  faults: {},
});
