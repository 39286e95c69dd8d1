import type { Tx } from '@parley/db';
import type { ActionResult } from '@parley/protocol';

/** The part of an action that runs after its transaction is committed. */
export interface AfterCommit {
  /**
   * Runs statements that make no log entry and whose locks would hold up the realm inside the transaction. Each
   * statement is committed by itself.
   */
  afterCommit?(db: Tx): Promise<Pick<ActionResult, 'ephemerals' | 'jobs'>>;
}
