import type { Tx } from '@parley/db';
import type * as model from '@parley/model';

import type { SharedJson } from '../http/json-text.ts';

/**
 * Limits how many registrations run at once: after an outage all clients of a realm register at the same time. Whoever
 * is refused is told to come back when there is room, each a little later than the one before, until those who wait now
 * are served: thousands who all came back after a second would cost more than those who are served. An account has its
 * fair share; those without one, whose `accountId` is null, share nothing.
 */
export type RegistrationLimiter = <Result>(
  accountId: number | null,
  work: () => Promise<Result>,
) => Promise<Result>;

export type LogHead = Awaited<ReturnType<typeof model.realms.getLogHead>>;

/** Parts of a realm's state that are the same for several callers, as JSON, read once per position in the log. */
export interface SharedStates {
  /** The shared parts as they are in a snapshot whose log ends at `head`. */
  at(tx: Tx, head: LogHead): Promise<SharedState>;
}

export interface SharedState {
  /**
   * The JSON of what `read` returns, which must be the same for everybody who gives this key. It may have been read in
   * another snapshot, if nothing that it shows has changed between the two.
   */
  share(key: string, read: () => Promise<unknown>): Promise<SharedJson>;
}
