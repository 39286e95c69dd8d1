import { connectSql } from '@parley/db';

import type { DemoCluster } from '../support/demo-cluster.ts';

/**
 * Puts messages of different heights at the end of a topic that has one already, as if they had come long ago and
 * everybody had read them. Answers with the ids of the first and the last.
 */
export async function fillTopic(
  { cluster }: DemoCluster,
  first: number,
  count: number,
): Promise<{ first: number; last: number }> {
  const sql = connectSql({ url: cluster.postgres.url, name: 'fill', max: 1 });
  try {
    const [made] = await sql<{ first: number; last: number }[]>`
      with made as (
        insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
          rendered_content, rendered_version, client)
        select head.message_id + n, m.realm_id, m.conversation_id, h.ordinal + n, m.channel_id, m.topic_id, m.sender_id,
          m.sent_at + make_interval(secs => n), 'Message ' || n,
          '<p>Message ' || n || repeat(' of many, which say this and that', (n * 7) % 23) || '</p>',
          m.rendered_version, m.client
        from messages m join conversation_heads h using (conversation_id)
          join realm_heads head on head.realm_id = m.realm_id, generate_series(1, ${count}::int) n
        where m.id = ${first} order by n returning id, ordinal, conversation_id, realm_id
      ), heads as (
        update conversation_heads h set ordinal = (select max(ordinal) from made)
        where h.conversation_id = (select conversation_id from made limit 1)
      ), counted as (
        update realm_heads h set message_id = (select max(id) from made)
        where h.realm_id = (select realm_id from made limit 1)
      ), readers as (
        update conversation_members c set read = c.received * int8multirange(int8range(1, (select max(ordinal) + 1 from made)))
        where c.conversation_id = (select conversation_id from made limit 1)
      )
      select min(id) as first, max(id) as last from made`;
    await sql`analyze messages`;
    if (!made) throw new Error('No message was made.');
    return made;
  } finally {
    await sql.end();
  }
}
