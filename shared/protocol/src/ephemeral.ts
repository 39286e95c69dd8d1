import { z } from 'zod';

import { ID_STEP } from './entry.ts';

/** An event for some users that is not stored in the log. It may be lost, and no client receives it twice. */
export interface Ephemeral {
  users: number[];
  event: { type: string } & Record<string, unknown>;
}

/**
 * An ephemeral event as Redis carries it. It has a place in the realm's log: after the entry that was the last one
 * when it was published.
 */
export const PublishedEphemeral = z.object({
  realmId: z.int(),
  /** The number of the event, which rises with each ephemeral event of the realm. */
  n: z.int(),
  /**
   * The seq of the last entry before the event. A node sends the event only to clients that have received that entry.
   */
  after: z.int(),
  users: z.array(z.int()),
  event: z.looseObject({ type: z.string() }),
});
export type PublishedEphemeral = z.infer<typeof PublishedEphemeral>;

/**
 * The offset, within the id range of an entry, from which ids that belong to no entry are assigned. All events of the
 * entry have lower ids.
 */
export const unloggedIdOffset = ID_STEP / 2;
/** The number of ids after an entry that ephemeral events use. Heartbeats use the ids above them. */
const ephemeralIdsMax = 400_000;

/**
 * Returns the wire id of an ephemeral event. It is the same on every node, so a client's cursor tells whether the
 * client has received the event.
 */
export const ephemeralId = ({ after, n }: Pick<PublishedEphemeral, 'after' | 'n'>) =>
  after * ID_STEP + unloggedIdOffset + (n % ephemeralIdsMax);
