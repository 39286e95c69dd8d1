import { Entry } from '@parley/protocol';
import type { Signer } from '@parley/redis';
import { currentTracing } from '@parley/telemetry';

import { termOfText } from './position.ts';
import type { Sequencer } from './sequencer.ts';

/**
 * Entries that follow each other, as they came from the stream. They are neither verified nor parsed yet: most belong to
 * realms that this node does not serve.
 */
export interface CarriedRun {
  realmId: number;
  lastSeq: number;
  /** The signed JSON, a line per entry; empty for an entry that is too long to be carried. */
  signed: string;
  /** The traces of the changes, one per entry; undefined where none are made. */
  traces: string | undefined;
}

/** The JSON of a run's entries; null if it is not what an api node has signed. */
const linesOf = ({ realmId, lastSeq, signed }: CarriedRun, signer: Signer): string[] | null =>
  signer.verify(`entries ${realmId} ${lastSeq}`, signed)?.split('\n') ?? null;

/** Returns the entries of a run; null if it is not what an api node has signed. */
export const entriesOf = (run: CarriedRun, signer: Signer): Entry[] | null =>
  linesOf(run, signer)?.map((json) => Entry.parse(JSON.parse(json))) ?? null;

/** Returns the term of a run's last entry; empty if none is known, or it is not what an api node has signed. */
export const signedTermOf = (run: CarriedRun, signer: Signer): string =>
  termOfText(linesOf(run, signer)?.at(-1) ?? '');

/** Returns whether all of a run can only be what has been passed on. A node that is behind nobody reads no more of it. */
export const isPassedOn = (
  { lastSeq, signed }: CarriedRun,
  { head, term }: Pick<Sequencer, 'head' | 'term'>,
): boolean => lastSeq <= head && (signed === '' || termOfText(signed) === term);

/** Tells whoever traces the changes that they have arrived. */
export function receiveTraces({ realmId, lastSeq, traces }: CarriedRun): void {
  if (traces === undefined) return;
  const each = traces.split(' ');
  for (const [index, trace] of each.entries()) {
    currentTracing()?.received({ realmId, seq: lastSeq - each.length + 1 + index }, trace);
  }
}
