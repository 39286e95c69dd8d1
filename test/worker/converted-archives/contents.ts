import type { Elsewhere } from '../../support/index.ts';

/** Returns what is written where, by whom: channels and topics, or the number of people of a direct conversation. */
export async function messagesOf({ sql }: Elsewhere): Promise<string[][]> {
  const rows = await sql<{ place: string; sender: string; content: string }[]>`
    select coalesce(c.name || ' > ' || o.name, cardinality(v.people) || ' people') as place,
      u.full_name as sender, m.content
    from messages m join users u on u.id = m.sender_id join conversations v on v.id = m.conversation_id
    left join channels c on c.id = m.channel_id left join topics o on o.id = m.topic_id order by m.id`;
  return rows.map(({ place, sender, content }) => [place, sender, content]);
}

/** Returns the accounts that are not the server's, and have no password: name, address, role, whether active, whether a bot. */
export async function peopleOf({ sql }: Elsewhere): Promise<unknown[][]> {
  const rows = await sql<{ name: string; email: string; role: number; active: boolean; bot: boolean }[]>`
    select full_name as name, email, role, is_active as active, bot_type is not null as bot from users
    where not is_system and password_hash is null order by id`;
  return rows.map(({ name, email, role, active, bot }) => [name, email, role, active, bot]);
}
