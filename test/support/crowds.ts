import type { Sql } from '@parley/db';
import type { Realm } from '@parley/model';

import type { Person } from './person.ts';
import { getWorld } from './world.ts';

/** What would take requests too long: many rows, as the log would have written them one by one. */

/** Lets each realm go on behind the newest of its messages. */
async function countMessages(sql: Sql): Promise<void> {
  await sql`
    update realm_heads h set message_id = newest.id
    from (select realm_id, max(id) as id from messages group by realm_id) newest
    where newest.realm_id = h.realm_id`;
}

/** New members of a realm, of whom nobody was told, with addresses of their own; answers with their ids. */
export async function addMembers({ id }: Realm, count: number, name = 'extra'): Promise<number[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ id: number }[]>`
    insert into users (realm_id, email, full_name, role)
    select ${id}, ${name}::text || n || '@crowd.example', 'Extra ' || n, 400 from generate_series(1, ${count}) n
    returning id`;
  return rows.map((row) => row.id);
}

/** Has people be in the conversation of a message, who have received everything and read messages 1, 3 and 5. */
export async function addReaders(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
  userIds: readonly number[],
): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    insert into conversation_members (realm_id, conversation_id, user_id, received, read)
    select m.realm_id, m.conversation_id, reader.id, '{[1,)}', '{[1,2),[3,4),[5,6)}'
    from messages m, unnest(${[...userIds]}::int[]) as reader (id)
    where m.realm_id = ${realm.id} and m.id = ${messageId}`;
}

/** Repeats a message in its topic so often, at the same moment, far behind the conversation's end. */
export async function repeatMessage(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
  times: number,
): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
      rendered_content, client)
    select head.message_id + n, m.realm_id, conversation_id, 1000000 + n, channel_id, topic_id, sender_id, sent_at,
      content, rendered_content, client
    from messages m join realm_heads head using (realm_id), generate_series(1, ${times}::int) n
    where m.realm_id = ${realm.id} and m.id = ${messageId}`;
  await countMessages(sql);
}

/** Fills every conversation in which somebody has sent one message up to 5000; answers with the new ids. */
export async function fillConversationsOf({ id }: Person): Promise<number[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ id: number }[]>`
    insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
      rendered_content, client)
    select head.message_id + row_number() over (order by n, m.id), m.realm_id, m.conversation_id, m.ordinal + n,
      m.channel_id, m.topic_id, m.sender_id, now(), 'x', 'x', 'test'
    from messages m join realm_heads head using (realm_id), generate_series(1, 4999) n
    where m.sender_id = ${id} returning id`;
  await countMessages(sql);
  await sql`
    update conversation_heads set ordinal = 5000
    where conversation_id in (select conversation_id from messages where sender_id = ${id})`;
  return rows.map((row) => row.id);
}

/** As if a channel had so many subscribers. */
export async function setSubscriberCount(channelId: number, count: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    update audiences set size = ${count} where id = (
      select audience_id from conversation_heads join channels using (conversation_id)
      where channels.id = ${channelId})`;
}
