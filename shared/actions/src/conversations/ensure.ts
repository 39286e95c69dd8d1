import type { Tx } from '@parley/db';
import { intArray } from '@parley/model';
import { sql } from 'drizzle-orm';

/** Returns the conversation of a set of people; creates it, with its members' rows, if they have none. */
export async function ensureDirectConversation(tx: Tx, realmId: number, people: number[]): Promise<number> {
  const find = sql`select id from conversations where realm_id = ${realmId} and people = ${intArray(people)}`;
  const [existing] = await tx.execute<{ id: number }>(find);
  if (existing) return Number(existing.id);
  await tx.execute(sql`select create_direct_conversation(${realmId}, ${intArray(people)})`);
  const [created] = await tx.execute<{ id: number }>(find);
  if (!created) throw new Error('A conversation that was just created does not exist.');
  return Number(created.id);
}
