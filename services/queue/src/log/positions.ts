import type { Positions } from '../queues/renewals.ts';
import type { Realms } from './realms.ts';
import { type ReadTerm, termAt } from './term-at.ts';

interface PositionsDeps {
  realms: Pick<Realms, 'find'>;
  readonly readTerm: ReadTerm;
}

/** Looks positions up in the logs in memory, and in Postgres what these keep no more. */
export const createPositions = ({ realms, readTerm }: PositionsDeps): Positions => ({
  of({ realmId, provenIn, provenTo, provenTerm }) {
    const isOfLog = provenIn !== null && provenIn === realms.find(realmId)?.ring.history;
    return isOfLog && provenTerm !== undefined ? { seq: provenTo, term: provenTerm } : undefined;
  },
  async includes({ realmId }, { seq, term }) {
    const realm = realms.find(realmId);
    return realm !== undefined && realm.ring.head >= seq && (await termAt(realm, seq, readTerm)) === term;
  },
});
