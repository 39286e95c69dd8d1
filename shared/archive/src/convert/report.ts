import { type ArchivedKind, archivedKinds } from '@parley/protocol';

import { type CodedReason, type Why, explain } from './reasons.ts';

/** What was read, by kind. */
export const kinds = archivedKinds;
export type Kind = ArchivedKind;

/** Why something becomes of things: in an English sentence, and as a code with its values. */
interface Reason extends CodedReason {
  kind: Kind;
  reason: string;
  count: number;
}

interface Remark extends CodedReason {
  text: string;
}

/** What became of the things in an archive of another product. */
export interface ConversionReport {
  source: string;
  /** Of each kind: how many were read, and how many of them are kept, changed or not. */
  kinds: Record<Kind, { read: number; kept: number; changed: number; leftOut: number }>;
  changed: Reason[];
  leftOut: Reason[];
  /** Names that two things had, and what they are called now. */
  conflicts: Remark[];
  conflictsLeftOut: number;
  notes: Remark[];
}

/** Conflicts that are shown one by one. */
const conflictsMax = 200;
/** Different reasons: texts of an archive are among them, shortened. */
const reasonsMax = 500;

/** Counts what becomes of each thing. */
export class Tally {
  readonly #source: string;
  readonly #kept = new Map<Kind, number>();
  readonly #changed = new Map<string, Reason>();
  readonly #leftOut = new Map<string, Reason>();
  readonly #conflicts: Remark[] = [];
  #conflictsLeftOut = 0;
  readonly #notes: Remark[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  keep(kind: Kind, count = 1): void {
    this.#kept.set(kind, (this.#kept.get(kind) ?? 0) + count);
  }

  /** Counts a thing that is kept, but not as it was. */
  change(kind: Kind, why: Why, count = 1): void {
    add(this.#changed, kind, why, count);
  }

  /** Counts things as left out that were counted as kept. */
  drop(kind: Kind, why: Why, count = 1): void {
    this.keep(kind, -count);
    this.leaveOut(kind, why, count);
  }

  leaveOut(kind: Kind, why: Why, count = 1): void {
    if (count > 0) add(this.#leftOut, kind, why, count);
  }

  noteConflict(why: Why): void {
    if (this.#conflicts.length < conflictsMax) this.#conflicts.push(explain(why));
    else this.#conflictsLeftOut += 1;
  }

  note(why: Why): void {
    this.#notes.push(explain(why));
  }

  report(): ConversionReport {
    const changed = sorted(this.#changed);
    const leftOut = sorted(this.#leftOut);
    const sum = (reasons: readonly Reason[], kind: Kind) =>
      reasons.reduce((total, one) => total + (one.kind === kind ? one.count : 0), 0);
    const counts = (kind: Kind) => {
      const kept = this.#kept.get(kind) ?? 0;
      const out = sum(leftOut, kind);
      return [kind, { read: kept + out, kept, changed: sum(changed, kind), leftOut: out }] as const;
    };
    return {
      source: this.#source,
      // Safe: the keys are those of the list.
      kinds: Object.fromEntries(kinds.map(counts)) as ConversionReport['kinds'],
      changed,
      leftOut,
      conflicts: this.#conflicts,
      conflictsLeftOut: this.#conflictsLeftOut,
      notes: this.#notes,
    };
  }
}

function add(reasons: Map<string, Reason>, kind: Kind, why: Why, count: number): void {
  const key = `${kind} ${typeof why === 'string' ? why : JSON.stringify(why)}`;
  const known = reasons.get(key);
  if (known) known.count += count;
  else if (reasons.size >= reasonsMax && why !== 'other_reasons') add(reasons, kind, 'other_reasons', count);
  else {
    const { text, ...coded } = explain(why);
    reasons.set(key, { kind, reason: text, count, ...coded });
  }
}

const sorted = (reasons: ReadonlyMap<string, Reason>): Reason[] =>
  [...reasons.values()].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.count - a.count);
