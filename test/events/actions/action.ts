import type { TestRealm } from '../../support/index.ts';

/** Prepares what the action needs, and returns the action. */
type Prepare = (people: TestRealm) => Promise<() => Promise<unknown>>;

export interface Action extends Prepare {
  inNewRealm?: boolean;
}

/** By what happens, as a part of a sentence. Actions of a file happen one after the other in one realm. */
export type Actions = Record<string, Action>;

/** Which of them exercises each action of the domain; null for one that tells no client anything. */
export type Exercised = Record<string, string | null>;

/** Marks an action that needs a realm in which nothing has happened, because of names that earlier ones have taken. */
export const inNewRealm = (prepare: Prepare): Action => Object.assign(prepare, { inNewRealm: true });
