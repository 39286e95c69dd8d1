import type { Tx } from '@parley/db';
import type { ActionResult } from '@parley/protocol';

/** What an action leaves to be done once its transaction is committed. */
export interface AfterCommit {
  /**
   * Writes that no log entry tells of and that would hold up the realm inside the transaction. Each statement stands
   * alone.
   */
  afterCommit?(db: Tx): Promise<Pick<ActionResult, 'ephemerals' | 'jobs'>>;
}
