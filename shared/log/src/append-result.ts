import { type Tx, isConflict } from '@parley/db';
import type { ActionResult } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { type Appended, appendParameters, readAppended, refusalOf, withRoom } from './append.ts';
import { writeAudiences } from './write-audiences.ts';

/** Rolls the transaction back: what the action decided no longer holds at its position in the log. */
class Stale extends Error {}

/** Rolls the transaction back: its message was sent before. */
export class Repeated extends Error {
  /** What the log says of the first message. */
  readonly answer: RepeatedMessage;
  readonly result: ActionResult;
  constructor(answer: RepeatedMessage, result: ActionResult) {
    super('A message was sent before.');
    this.answer = answer;
    this.result = result;
  }
}

type RepeatedMessage = Extract<Appended, { outcome: 'repeated' }>;

/** Returns whether an action that failed in this way is to be run again. */
export const mayRunAgain = (error: unknown): boolean => error instanceof Stale || isConflict(error);

/** The first key of the advisory locks of actions; the second is the realm. */
const actionLocks = 1;

/**
 * Begins the transaction of an action, and returns the version of the rules that it begins under. One that begins alone
 * waits until no other action of the realm runs, and lets none begin.
 */
export const beginAction = (tx: Tx, realmId: number, isAlone: boolean): Promise<number> =>
  isAlone ? beginAlone(tx, realmId) : beginBesideOthers(tx, realmId);

async function beginBesideOthers(tx: Tx, realmId: number): Promise<number> {
  return await readRulesVersion(
    tx,
    sql`select rules_version_of(h.rules_version, h.term, log_term(h.epoch))::float8 as version, pg_advisory_xact_lock_shared(${actionLocks}, ${realmId})
      from realm_heads h where h.realm_id = ${realmId}`,
  );
}

async function beginAlone(tx: Tx, realmId: number): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${actionLocks}, ${realmId})`);
  return await readRulesVersion(
    tx,
    sql`select rules_version_of(h.rules_version, h.term, log_term(h.epoch))::float8 as version from realm_heads h where h.realm_id = ${realmId}`,
  );
}

async function readRulesVersion(tx: Tx, query: SQL): Promise<number> {
  const [head] = await tx.execute<{ version: number }>(query);
  if (!head) throw new Error('The realm has no log.');
  return head.version;
}

/** Returns ids of the messages among what was appended, in their order. */
export const messageIdsOf = (appended: Appended[]) =>
  appended.flatMap((answer) =>
    answer.outcome === 'written' && answer.messageId !== null ? [answer.messageId] : [],
  );

/**
 * Appends the events of an action, as the last statement of its transaction: either its rows and its entries are there,
 * in log order, or neither. An action is stale if the realm's rules have changed since it began: whom it tells and what
 * it decides hold at its position in the log.
 *
 * @throws {Stale} {@link mayRunAgain} tells it from other errors
 * @throws {Repeated} for a message that was sent before
 */
export async function appendResult(
  tx: Tx,
  realmId: number,
  result: ActionResult,
  rulesVersion: number,
): Promise<Appended[]> {
  const { events, memberships = [], changesRules = false } = result;
  if (events.length === 0 && memberships.length === 0 && !changesRules) return [];
  const changes = await writeAudiences(tx, realmId, memberships);
  const json = appendParameters(
    events.map((event) => ({ rulesVersion, ...withRoom(event) })),
    changes,
  );
  const rows = await tx
    .execute(
      sql`
    select * from append_events(
      ${realmId}, ${json.events}::text::jsonb, ${json.membershipChanges}::text::jsonb, ${!changesRules})`,
    )
    .catch((error: unknown) => {
      throw refusalOf(error);
    });
  const appended = readAppended(rows);
  for (const answer of appended) {
    if (answer.outcome === 'stale') throw new Stale();
    if (answer.outcome === 'repeated') throw new Repeated(answer, result);
  }
  return appended;
}
