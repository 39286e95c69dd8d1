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
