import { type Database, type Tx, isDeadlock } from '@parley/db';
import { type ActionResult, notReady } from '@parley/protocol';
import { tallies, traced } from '@parley/telemetry';
import { type SQL, sql } from 'drizzle-orm';

import { type Appended, appendParameters, readAppended } from './append.ts';
import type { Publisher } from './publish.ts';
import { writeAudiences } from './write-audiences.ts';

const attemptsMax = 8;
const commits = tallies(
  'parley_log_commits_total',
  'Attempts to commit an action: those that did, and those that had to run again',
  'outcome',
  ['done', 'again'],
);

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
 * An action is stale if the realm's rules have changed since it began: whom it tells and what it decides hold at its
 * place in the log. When it runs again, no other action of the realm runs beside it.
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
      const { result, appended } = await traced('commit', async () => {
        const committed = await db.transaction(async (tx) => {
          const rulesVersion = await (attempt === 0
            ? beginBesideOthers(tx, realmId)
            : beginAlone(tx, realmId));
          const acted = await action(tx);
          return { result: acted, appended: await append(tx, realmId, acted, rulesVersion) };
        });
        commits.done.count += 1;
        publisher.publish(realmId, committed.appended);
        return committed;
      });
      return { ...result, messageIds: messageIdsOf(appended) };
    } catch (error) {
      // Safe: this action returned the result.
      if (error instanceof Repeated) return { ...(error.result as Result), messageIds: [error.messageId] };
      if (!(error instanceof Stale) && !isDeadlock(error)) throw error;
      commits.again.count += 1;
    }
  }
  throw notReady('conflicts');
}

/** The first key of the advisory locks of actions; the second is the realm. */
const actionLocks = 1;

/** Returns the version of the rules that the action begins under. */
async function beginBesideOthers(tx: Tx, realmId: number): Promise<number> {
  return await readRulesVersion(
    tx,
    sql`select rules_version::float8 as version, pg_advisory_xact_lock_shared(${actionLocks}, ${realmId})
      from realm_heads where realm_id = ${realmId}`,
  );
}

/** Waits until no other action of the realm runs, and lets none begin. */
async function beginAlone(tx: Tx, realmId: number): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${actionLocks}, ${realmId})`);
  return await readRulesVersion(
    tx,
    sql`select rules_version::float8 as version from realm_heads where realm_id = ${realmId}`,
  );
}

async function readRulesVersion(tx: Tx, query: SQL): Promise<number> {
  const [head] = await tx.execute<{ version: number }>(query);
  if (!head) throw new Error('The realm has no log.');
  return head.version;
}

const messageIdsOf = (appended: Appended[]) =>
  appended.flatMap((answer) =>
    answer.outcome === 'written' && answer.messageId !== null ? [answer.messageId] : [],
  );

async function append(
  tx: Tx,
  realmId: number,
  result: ActionResult,
  rulesVersion: number,
): Promise<Appended[]> {
  const { events, memberships = [], keepsRules = false } = result;
  if (events.length === 0 && memberships.length === 0 && keepsRules) return [];
  const changes = await writeAudiences(tx, realmId, memberships);
  const json = appendParameters(
    events.map((event) => ({ rulesVersion, ...event })),
    changes,
  );
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
