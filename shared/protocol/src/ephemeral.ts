import { z } from 'zod';

import { ID_STEP } from './entry.ts';

/** What some users are told of and no log keeps: it may be lost, and is never heard twice. */
export interface Ephemeral {
  users: number[];
  event: { type: string } & Record<string, unknown>;
}

/** An ephemeral event on its way. It has a place in the realm's log, behind an entry that was there when it was said. */
export const PublishedEphemeral = z.object({
  realmId: z.int(),
  /** Rises with each one of the realm. */
  n: z.int(),
  /** The last entry of the log before it: no node tells it to anyone who may have that entry still to hear. */
  after: z.int(),
  users: z.array(z.int()),
  event: z.looseObject({ type: z.string() }),
});
export type PublishedEphemeral = z.infer<typeof PublishedEphemeral>;

/** Whatever is no part of an entry is numbered from here within the entry's range: all of the entry is before it. */
export const unloggedIdOffset = ID_STEP / 2;
/** Ephemeral events take so many ids behind an entry; heartbeats have room above them. */
const ephemeralIdsMax = 400_000;

/** The wire id of an ephemeral event: the same on every node, so that a client's cursor says whether it was heard. */
export const ephemeralId = ({ after, n }: Pick<PublishedEphemeral, 'after' | 'n'>) =>
  after * ID_STEP + unloggedIdOffset + (n % ephemeralIdsMax);
