import type { Tx } from '@parley/db';
import type * as model from '@parley/model';

import type { JsonText, SharedJson } from '../http/json-text.ts';

/**
 * Limits how many registrations run at once: after an outage all clients of a realm register at the same time. Whoever
 * is refused is told to come back when there is room, each a little later than the one before, until those who wait now
 * are served: thousands who all came back after a second would cost more than those who are served. Organizations and
 * their accounts have fair shares; those without an account, whose `accountId` is null, share that of the organization.
 */
export type RegistrationLimiter = <Result>(
  realmId: number,
  accountId: number | null,
  work: () => Promise<Result>,
) => Promise<Result>;

export type LogHead = Awaited<ReturnType<typeof model.realms.getLogHead>>;

/** Parts of a realm's state that are the same for several callers, as JSON, kept up to date by the log. */
export interface SharedStates {
  /** The shared parts as they are in a snapshot whose log ends at `head`. */
  at(tx: Tx, head: LogHead): Promise<SharedState>;
}

/** The lists of users in the state of a registration. */
export type UserLists = Record<model.users.UserListName, JsonText>;

/** A caller's own entry in the list of users, as they see it and as others of their role do. */
export interface OwnEntry {
  id: number;
  own: string;
  asOthers: string;
}

/** It may have been read in other snapshots, if nothing that it shows has changed between. */
export interface SharedState {
  /** Returns the JSON of groups, as `read` returns them, which are the same for everybody who gives this key. */
  shareGroups(key: string, read: () => Promise<unknown>): Promise<SharedJson>;
  /** Returns the ids of all users, ascending. */
  listUserIds(tx: Tx): Promise<number[]>;
  /** Returns the lists of users as a viewer sees them, with the caller's own entry in its place. */
  userLists(tx: Tx, viewer: model.users.UserListViewer, own: OwnEntry | null): Promise<UserLists>;
}
