import type { Realm } from './realms.ts';

/** Returns the term of an entry of a realm's log, as Postgres has it; null for one that is not kept. */
export type ReadTerm = (realmId: number, seq: number) => Promise<string | null>;

/** Returns the term of an entry of a log that this node follows: as its ring has it, or else as Postgres does. */
export const termAt = async ({ id, ring }: Realm, seq: number, readTerm: ReadTerm): Promise<string | null> =>
  ring.termAt(seq) ?? (await readTerm(id, seq));
