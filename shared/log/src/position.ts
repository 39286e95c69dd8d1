import type { Entry } from '@parley/protocol';

/** A position in a log: a number alone may be that of another entry, once a server has taken the place of one that died. */
export interface Position {
  seq: number;
  /** The term of the entry with that number. Empty for entries from before there were terms. */
  term: string;
}

/** How many characters of a term say in which epoch it is. */
const epochLength = 8;

/** Returns how the epoch of a term begins. */
export const epochOfTerm = (term: string): string => term.slice(0, epochLength);

/** Returns how an epoch begins, which its terms begin with. */
export const beginningOf = (epoch: string): string => epoch.slice(0, epochLength);

export const termOf = ({ term = '' }: Pick<Entry, 'term'>): string => term;

/**
 * Returns whether an entry is the next one behind a position, in the history that has it and in the present epoch: what was
 * written in one before, behind the entry with which that ended, is lost.
 */
export const follows = (
  { seq, term = '', previousTerm }: Entry,
  position: Position,
  epoch: string,
): boolean =>
  seq === position.seq + 1 &&
  (term === '' || epochOfTerm(term) === beginningOf(epoch)) &&
  (term === position.term || previousTerm === position.term);

/** Both functions that write entries put the term first, behind the number. */
const writtenTerm = /^[\w-]*\{"seq":\s?\d+,\s?"term":\s?"(\w+)"/;

/** Returns the term of the first entry in a text as it was written, with or without a signature, and reads no more of it. */
export const termOfText = (json: string): string => writtenTerm.exec(json)?.[1] ?? '';
