import type { Positions } from '../queues/renewals.ts';
import type { Realms } from './realms.ts';
import { type ReadTerm, termAt } from './term-at.ts';

interface PositionsDeps {
  realms: Pick<Realms, 'find'>;
  readonly readTerm: ReadTerm;
}

/** Looks positions up in the logs in memory, and in Postgres what these keep no more. */
export const createPositions = ({ realms, readTerm }: PositionsDeps): Positions => ({
  of({ realmId, provenIn }) {
    const ring = realms.find(realmId)?.ring;
    return ring && provenIn === ring.history ? { seq: ring.head, term: ring.term } : undefined;
  },
  async includes({ realmId }, { seq, term }) {
    const realm = realms.find(realmId);
    return realm !== undefined && realm.ring.head >= seq && (await termAt(realm, seq, readTerm)) === term;
  },
});
