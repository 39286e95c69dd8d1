import type { Tx } from '@parley/db';

/**
 * A change that the engine performs: a function that checks, writes and returns what follows, and its name, which is its
 * place in this room: `channels.edit`. Metrics, traces and logs call it by that name. An action calls another one as a
 * function, in its own transaction.
 */
export interface Action<Input, Result> {
  (tx: Tx, input: Input): Promise<Result>;
  readonly actionName: string;
}
