import { connectSql } from '@parley/db';

const perStatement = 20_000;

/**
 * Fills the first channel of a realm with messages, and gives some of them flags, reactions and edits, as the version before
 * stores them.
 */
export async function fillMessages(databaseUrl: string, realmId: number, count: number): Promise<void> {
  const sql = connectSql({ url: databaseUrl, name: 'fill', max: 1 });
  try {
    await sql`set statement_timeout = 0`;
    const [place] = await sql<{ channel: number; conversation: number; topic: number; sender: number }[]>`
      with made as (
        insert into topics (channel_id, name)
        select min(id), 'from long ago' from channels where realm_id = ${realmId} returning id, channel_id
      )
      select c.id as channel, c.conversation_id as conversation, made.id as topic,
        (select min(id) from users where realm_id = ${realmId} and bot_type is null) as sender
      from made join channels c on c.id = made.channel_id`;
    if (!place) throw new Error('The realm has no channel.');
    for (let done = 0; done < count; done += perStatement) {
      const { channel, conversation, topic, sender } = place;
      await sql`
        insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
          rendered_content, client, read_by, has_link)
        select nextval('message_ids'), ${realmId}, ${conversation}, h.ordinal + n, ${channel}, ${topic}, ${sender},
          now() - interval '30 days', 'Message ' || n || ' of many about weather, lunch and the next release',
          '<p>Message ' || n || ' of many about weather, lunch and the next release</p>', 'fill', ${[sender]}::int[],
          n % 20 = 0
        from conversation_heads h, generate_series(1, ${Math.min(perStatement, count - done)}::int) n
        where h.conversation_id = ${conversation}`;
      await sql`
        update conversation_heads h set ordinal = m.ordinal, first_message_id = coalesce(h.first_message_id, m.first)
        from (
          select max(ordinal) as ordinal, min(id) as first from messages where conversation_id = ${conversation}
        ) m
        where h.conversation_id = ${conversation}`;
    }
    await sql`
      insert into message_flags (user_id, message_id, starred, mentioned)
      select sender_id, id, id % 40 = 0, id % 40 <> 0 from messages where client = 'fill' and id % 20 = 0`;
    await sql`
      insert into reactions (message_id, user_id, emoji_name, emoji_code, reaction_type)
      select id, sender_id, 'octopus', '1f419', 'unicode_emoji' from messages where client = 'fill' and id % 10 = 0`;
    await sql`
      insert into message_edits (message_id, user_id, edited_at, prev_content, prev_rendered_content)
      select id, sender_id, now(), content, rendered_content from messages where client = 'fill' and id % 50 = 0`;
  } finally {
    await sql.end();
  }
}
