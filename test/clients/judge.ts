import type { Driven } from './drive.ts';
import type { Client, Seen } from './seen.ts';

/** A row of the table. */
export interface Outcome {
  name: string;
  version: string;
  language: string;
  does: string;
  passed: number;
  of: number;
  /** What does not hold though it should, and why. */
  failed: string[];
  /** What does not hold through the client's own fault, and why. */
  ownFaults: string[];
}

function didHold(check: (seen: Seen) => boolean, seen: Seen): boolean {
  try {
    return check(seen);
  } catch {
    return false;
  }
}

/** Compares what a client did with what it should have done. */
export function judge(client: Client, { said, errors }: Driven, seen: Seen): Omit<Outcome, 'version'> {
  const { name, language, does, checks, ownFaults = {} } = client;
  const told = Object.entries(errors).map(([step, error]) => `${step}: ${error}`);
  const row = { name, language, does };
  if (checks === undefined) {
    const passed = Object.keys(said).length;
    const failed = passed === 0 && told.length === 0 ? ['no step was taken'] : told;
    return { ...row, passed, of: passed + told.length, failed, ownFaults: [] };
  }
  const titles = Object.keys(checks);
  const missing = Object.entries(checks).flatMap(([title, check]) => (didHold(check, seen) ? [] : [title]));
  const unexpected = missing.filter((title) => !(title in ownFaults));
  // A fault that is gone is worth to know, too: its sentence is no longer true.
  const gone = Object.keys(ownFaults).filter((title) => !missing.includes(title));
  return {
    ...row,
    passed: titles.length - missing.length,
    of: titles.length,
    failed: [
      ...unexpected,
      ...gone.map((title) => `${title}: holds, though it is said not to`),
      ...(unexpected.length > 0 || titles.length === missing.length ? told : []),
    ],
    ownFaults: missing.filter((title) => title in ownFaults).map((title) => `${title}: ${ownFaults[title]}`),
  };
}
