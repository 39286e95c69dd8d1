import { type Tx, tables } from '@parley/db';
import { asc, inArray, sql } from 'drizzle-orm';

/**
 * Changes of who is in a conversation take turns: hold its row from here to the end of the transaction. Always in
 * the order of ids, so that two transactions cannot wait for each other.
 */
export async function lockConversations(tx: Tx, ids: number[]): Promise<void> {
  const { conversations } = tables;
  if (ids.length === 0) return;
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(inArray(conversations.id, ids))
    .orderBy(asc(conversations.id))
    .for('no key update');
}

/**
 * Two transactions that would make the same name, or change the same list of a realm, take turns. Lists are locked
 * before names, names of one kind in sorted order, and all of these before conversations.
 */
export async function lockName(
  tx: Tx,
  kind: 'channel' | 'email' | 'list' | 'user',
  realmId: number,
  name: string,
): Promise<void> {
  const key = `${kind}:${realmId}:${name.toLowerCase()}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}
