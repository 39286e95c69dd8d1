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

/** What an action returned, with the ids of the messages that its drafts became, in their order. */
export type Committed<Result> = Result & { messageIds: number[] };

/** Undoes the transaction: what an action decided no longer holds at its place in the log. */
class Stale extends Error {}

/** Undoes the transaction: the message that it was about had been sent before. */
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
 * order, or neither. Publishes after the commit. Whatever the action throws undoes everything. An action whose drafts
 * turn out stale under the lock, or that met a deadlock, is undone and run again; one that repeats a message is undone, and the first message
 * is the answer.
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
      // Safe: this very action returned it.
      if (error instanceof Repeated) return { ...(error.result as Result), messageIds: [error.messageId] };
      if (!(error instanceof Stale) && !isDeadlock(error)) throw error;
    }
  }
  throw notReady();
}

const messageIdsOf = (appended: Appended[]) =>
  appended.flatMap((one) => (one.outcome === 'written' && one.messageId !== null ? [one.messageId] : []));

async function append(tx: Tx, realmId: number, result: ActionResult): Promise<Appended[]> {
  const { events, memberships = [], keepsRules = false } = result;
  if (events.length === 0 && memberships.length === 0 && keepsRules) return [];
  const moves = await writeAudiences(tx, realmId, memberships);
  const json = appendParameters(events, moves);
  const rows = await tx.execute(sql`
    select * from append_to_log(
      ${realmId}, ${json.events}::text::jsonb, ${json.membershipChanges}::text::jsonb, ${keepsRules})`);
  const appended = readAppended(rows);
  for (const one of appended) {
    if (one.outcome === 'stale') throw new Stale();
    if (one.outcome === 'repeated') throw new Repeated(one.messageId, result);
  }
  return appended;
}
