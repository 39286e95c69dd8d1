import type { TestRealm } from '../../support/index.ts';

/** Prepares what the action needs, and returns the action. */
type Action = (people: TestRealm) => Promise<() => Promise<unknown>>;

/** By what happens, as a part of a sentence. */
export type Actions = Record<string, Action>;

/** Which of them exercises each action of the domain; null for one that tells no client anything. */
export type Exercised = Record<string, string | null>;
