import type { Tx } from '@parley/db';
import type { PendingFlags } from '@parley/protocol';

/**
 * A change that the engine performs: a function that checks, writes and returns what follows, and its name, which is its
 * place in this room: `channels.edit`. Metrics, traces and logs call it by that name. An action calls another one as a
 * function, in its own transaction.
 */
export interface Action<Input, Result> {
  (tx: Tx, input: Input): Promise<Result>;
  readonly actionName: string;
  /**
   * Returns the change as one that is made together with those of other people, and costs no transaction of its own. Null if
   * it has to be made by the action; so is one that comes to nothing there because something has changed meanwhile.
   */
  readonly gather?: Gather<Input, Result>;
}

/** A change that is made together with those of other people. */
export interface Gathered<Result> {
  flags: PendingFlags;
  /** What the action returns when the flags of these messages have changed. */
  readonly resultOf: (changed: number[]) => Result;
}

/** How an action is gathered. */
type Gather<Input, Result> = (tx: Tx, input: Input) => Promise<Gathered<Result> | null>;

/** Returns how an action is gathered, as a value of its own that the action may have as a property. */
export const withOthers = <Input, Result>(gather: Gather<Input, Result>): Gather<Input, Result> => gather;
