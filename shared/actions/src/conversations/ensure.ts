import type { Tx } from '@parley/db';
import { intArray } from '@parley/model';
import { sql } from 'drizzle-orm';

/** Returns the conversation of a set of people; creates it, with its members' rows, if they have none. */
export async function ensureDirectConversation(tx: Tx, realmId: number, people: number[]): Promise<number> {
  const find = sql`select id from conversations where realm_id = ${realmId} and people = ${intArray(people)}`;
  const [existing] = await tx.execute<{ id: number }>(find);
  if (existing) return Number(existing.id);
  // This is one statement, so that nobody ever sees the conversation without its members.
  await tx.execute(sql`
    with made as (
      insert into conversations (realm_id, people) values (${realmId}, ${intArray(people)})
      on conflict (realm_id, people) do nothing returning id
    ), head as (
      select create_conversation_head(${realmId}, id) from made
    ), members as (
      insert into conversation_members (realm_id, conversation_id, user_id, received)
      select ${realmId}::int, made.id, person, '{[1,)}' from made, unnest(${intArray(people)}) person
    )
    select count(*) from head`);
  const [created] = await tx.execute<{ id: number }>(find);
  if (!created) throw new Error('A conversation that was just created does not exist.');
  return Number(created.id);
}
