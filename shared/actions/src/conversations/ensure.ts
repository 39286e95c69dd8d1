import type { Tx } from '@parley/db';
import { intArray } from '@parley/model';
import { sql } from 'drizzle-orm';

/** The conversation of a set of people, made with its members' rows if it is their first. */
export async function ensureDirectConversation(tx: Tx, realmId: number, people: number[]): Promise<number> {
  const find = sql`select id from conversations where realm_id = ${realmId} and people = ${intArray(people)}`;
  const [found] = await tx.execute<{ id: number }>(find);
  if (found) return Number(found.id);
  // One statement, so that nobody ever sees the conversation without its members.
  await tx.execute(sql`
    with made as (
      insert into conversations (realm_id, people) values (${realmId}, ${intArray(people)})
      on conflict (realm_id, people) do nothing returning id
    ), head as (
      select create_conversation_head(${realmId}, id) from made
    ), members as (
      insert into conversation_members (conversation_id, user_id, received)
      select made.id, person, '{[1,)}' from made, unnest(${intArray(people)}) person
    )
    select count(*) from head`);
  const [made] = await tx.execute<{ id: number }>(find);
  if (!made) throw new Error('A conversation that was just made is not there.');
  return Number(made.id);
}
