import { backoffMs, pause } from '@parley/kit';

import { type Blockers, watchBlockers } from './blockers.ts';
import { MigrationError } from './migration-error.ts';
import type { Say, Session } from './session.ts';

/** How long a migration waits for locks. */
export interface Patience {
  /** Who waits for a lock on a table holds up everybody who comes after: so long, and no longer. */
  lockMs: number;
  /** A lock that keeps nobody out is waited for longer. */
  harmlessLockMs: number;
  /** How long a statement may take while it locks others out. */
  statementMs: number;
  /** How often a step is tried, and for how long, before the migration fails. */
  triesMax: number;
  giveUpMs: number;
  firstPauseMs: number;
  maxPauseMs: number;
}

export const defaultPatience: Patience = {
  lockMs: 500,
  harmlessLockMs: 3_600_000,
  statementMs: 10_000,
  triesMax: 60,
  giveUpMs: 300_000,
  firstPauseMs: 200,
  maxPauseMs: 10_000,
};

/** The time between two tries at least, in which those who waited get through. */
const leastPauseMs = 50;
/** A lock was not available, or two transactions waited for each other. */
const busyCodes = new Set(['55P03', '40P01']);

export const isBusy = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && busyCodes.has(error.code);

interface Trial<Result> {
  session: Session;
  patience: Patience;
  say: Say;
  /** What is tried, as a sentence begins with it. */
  what: string;
  /** Is told which tables were vacuumed when it was tried last. */
  attempt: (vacuumed: readonly string[]) => Promise<Result>;
}

/** Tries a step again while others hold its locks. @throws MigrationError that says who holds them */
export async function tryPatiently<Result>(trial: Trial<Result>): Promise<Result> {
  const { session, patience, say, what, attempt } = trial;
  const beganMs = performance.now();
  let seen = '';
  let remedy = '';
  let vacuumed: readonly string[] = [];
  for (let tries = 1; ; tries += 1) {
    const outcome = await attemptOnce(session, say, () => attempt(vacuumed));
    if ('result' in outcome) return outcome.result;
    if (outcome.blockers.seen() !== '') {
      seen = outcome.blockers.seen();
      remedy = outcome.blockers.remedy();
      vacuumed = outcome.blockers.vacuumed();
    }
    const triedMs = performance.now() - beganMs;
    if (tries >= patience.triesMax || triedMs >= patience.giveUpMs) {
      throw new MigrationError(gaveUp({ what, tries, triedMs, seen, remedy }), { cause: outcome.error });
    }
    say(`${what} found its locks taken${seen && ` by ${seen}`}: try ${tries} of ${patience.triesMax}`);
    const { firstPauseMs: firstMs, maxPauseMs: maxMs } = patience;
    await pause(leastPauseMs + backoffMs(tries, { firstMs, maxMs }));
  }
}

async function attemptOnce<Result>(
  session: Session,
  say: Say,
  attempt: () => Promise<Result>,
): Promise<{ result: Result } | { error: unknown; blockers: Blockers }> {
  await using blockers = watchBlockers(session, say);
  try {
    return { result: await attempt() };
  } catch (error) {
    if (!isBusy(error)) throw error;
    return { error, blockers };
  }
}

interface Failure {
  what: string;
  tries: number;
  triedMs: number;
  seen: string;
  remedy: string;
}

function gaveUp({ what, tries, triedMs, seen, remedy }: Failure): string {
  const tried = `${what} did not get its locks in ${(triedMs / 1000).toFixed(1)} s and ${tries} tries.`;
  const goOn = 'Then run `parley migrate` again: it goes on where it was.';
  return seen === ''
    ? `${tried} Those who held them were gone before they were seen. ${goOn.replace('Then run', 'Run')}`
    : `${tried} They were held by ${seen}. Let that end, or end it (${remedy}). ${goOn}`;
}
