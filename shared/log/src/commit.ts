import type { Database, Tx } from '@parley/db';
import type { ActionResult } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { type Appended, appendParameters, readAppended } from './append.ts';
import { settleMemberships } from './membership.ts';
import type { Publisher } from './publish.ts';

export interface CommitNeeds {
  db: Database;
  publisher: Publisher;
}

/**
 * Runs an action and appends its events, in one transaction that ends with the append: either both are there, in log
 * order, or neither. Publishes after the commit. Whatever the action throws undoes everything.
 */
export async function commit<Result extends ActionResult>(
  { db, publisher }: CommitNeeds,
  realmId: number,
  action: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { result, appended } = await db.transaction(async (tx) => {
    const acted = await action(tx);
    return { result: acted, appended: await append(tx, realmId, acted) };
  });
  publisher.publish(realmId, appended);
  return result;
}

async function append(tx: Tx, realmId: number, result: ActionResult): Promise<Appended[]> {
  const { events, memberships = [], keepsRules = false } = result;
  if (events.length === 0 && memberships.length === 0 && keepsRules) return [];
  const moves = await settleMemberships(tx, realmId, memberships);
  const json = appendParameters(events, moves);
  const rows = await tx.execute(sql`
    select * from append_to_log(${realmId}, ${json.drafts}::text::jsonb, ${json.moves}::text::jsonb, ${keepsRules})`);
  return readAppended(rows);
}
