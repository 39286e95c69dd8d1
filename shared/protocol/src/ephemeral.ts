import { z } from 'zod';

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
  /**
   * The number of the event, which rises with each ephemeral event of the realm. Modulo the ids of an entry it is the
   * event's own id among those of the entry before it.
   */
  n: z.int(),
  /**
   * The seq of the last entry before the event. A node sends the event only to clients that have received that entry.
   */
  after: z.int(),
  users: z.array(z.int()),
  event: z.looseObject({ type: z.string() }),
});
export type PublishedEphemeral = z.infer<typeof PublishedEphemeral>;
