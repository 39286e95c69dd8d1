import { type Database, type Tx, isDeadlock } from '@parley/db';
import { type ActionResult, notReady } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { type Appended, appendParameters, readAppended } from './append.ts';
import type { Publisher } from './publish.ts';
import { writeAudiences } from './write-audiences.ts';

const attemptsMax = 8;

export interface CommitDeps {
  db: Database;
  publisher: Publisher;
}

/** An action's result, with the ids of the messages among its events, in their order. */
export type Committed<Result> = Result & { messageIds: number[] };

/** Rolls the transaction back: what the action decided no longer holds at its place in the log. */
class Stale extends Error {}

/** Rolls the transaction back: its message was sent before. */
class Repeated extends Error {
  readonly messageId: number;
  readonly result: ActionResult;
  constructor(messageId: number, result: ActionResult) {
    super('A message was sent before.');
    this.messageId = messageId;
    this.result = result;
  }
}

/**
 * Runs an action and appends its events, in one transaction that ends with the append: either both are there, in log
 * order, or neither. Entries are published after the commit. Whatever the action throws rolls everything back. An action
 * whose events are stale under the lock, or that met a deadlock, is rolled back and run again, 8 times at most. One that
 * repeats a message is rolled back, and the id of the first message is the answer.
 *
 * @throws SERVER_NOT_READY after 8 attempts
 */
export async function commit<Result extends ActionResult>(
  { db, publisher }: CommitDeps,
  realmId: number,
  action: (tx: Tx) => Promise<Result>,
): Promise<Committed<Result>> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    try {
      const { result, appended } = await db.transaction(async (tx) => {
        const acted = await action(tx);
        return { result: acted, appended: await append(tx, realmId, acted) };
      });
      publisher.publish(realmId, appended);
      return { ...result, messageIds: messageIdsOf(appended) };
    } catch (error) {
      // Safe: this action returned the result.
      if (error instanceof Repeated) return { ...(error.result as Result), messageIds: [error.messageId] };
      if (!(error instanceof Stale) && !isDeadlock(error)) throw error;
    }
  }
  throw notReady();
}

const messageIdsOf = (appended: Appended[]) =>
  appended.flatMap((answer) =>
    answer.outcome === 'written' && answer.messageId !== null ? [answer.messageId] : [],
  );

async function append(tx: Tx, realmId: number, result: ActionResult): Promise<Appended[]> {
  const { events, memberships = [], keepsRules = false } = result;
  if (events.length === 0 && memberships.length === 0 && keepsRules) return [];
  const changes = await writeAudiences(tx, realmId, memberships);
  const json = appendParameters(events, changes);
  const rows = await tx.execute(sql`
    select * from append_to_log(
      ${realmId}, ${json.events}::text::jsonb, ${json.membershipChanges}::text::jsonb, ${keepsRules})`);
  const appended = readAppended(rows);
  for (const answer of appended) {
    if (answer.outcome === 'stale') throw new Stale();
    if (answer.outcome === 'repeated') throw new Repeated(answer.messageId, result);
  }
  return appended;
}
