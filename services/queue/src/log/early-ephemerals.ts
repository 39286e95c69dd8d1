import { type Clock, SmallCache } from '@parley/kit';
import type { PublishedEphemeral } from '@parley/protocol';

import { type Ephemerals, createEphemerals } from '../core/ephemerals.ts';
import type { EntryParser } from '../core/ready-entry.ts';

/** Ephemeral events of realms that this node does not follow yet: their first poll may be a moment behind an event. */
export interface EarlyEphemerals {
  add(event: PublishedEphemeral): void;
  /** Removes and returns the events of a realm that is followed from now on. */
  take(realmId: number): Ephemerals;
}

const realmsMax = 1000;

export function createEarlyEphemerals({ readEntry, clock, limits }: EarlyEphemeralsDeps): EarlyEphemerals {
  const create = () => createEphemerals(limits.ephemeralMs);
  const byRealm = new SmallCache<number, Ephemerals>(realmsMax);
  return {
    add(event) {
      const ephemerals = byRealm.get(event.realmId) ?? create();
      byRealm.set(event.realmId, ephemerals);
      // A log that is not followed is at its beginning.
      ephemerals.add(readEntry.ephemeral(event), 0, clock.nowMs());
    },
    take(realmId) {
      const ephemerals = byRealm.get(realmId) ?? create();
      byRealm.delete(realmId);
      return ephemerals;
    },
  };
}

interface EarlyEphemeralsDeps {
  readEntry: EntryParser;
  clock: Clock;
  limits: { ephemeralMs: number };
}
