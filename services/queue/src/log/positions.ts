import type { Positions } from '../queues/renewals.ts';
import type { Realms } from './realms.ts';

interface PositionsDeps {
  realms: Pick<Realms, 'find'>;
  /** Returns the term of an entry of a realm's log, as Postgres has it; null for one that is not kept. */
  readonly readTerm: (realmId: number, seq: number) => Promise<string | null>;
}

/** Looks positions up in the logs in memory, and in Postgres what these keep no more. */
export const createPositions = ({ realms, readTerm }: PositionsDeps): Positions => ({
  of({ realmId, provenIn }) {
    const ring = realms.find(realmId)?.ring;
    return ring && provenIn === ring.history ? { seq: ring.head, term: ring.term } : undefined;
  },
  async includes({ realmId }, { seq, term }) {
    const ring = realms.find(realmId)?.ring;
    if (!ring || ring.head < seq) return false;
    return (ring.termAt(seq) ?? (await readTerm(realmId, seq))) === term;
  },
});
