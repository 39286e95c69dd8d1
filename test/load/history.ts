import * as actions from '@parley/actions';
import type { Engine } from '@parley/engine';

/** What people write all the time. */
const sentences = [
  'the deploy of the server is done and we look at the log of it',
  'is the build of the server green for you, or do we have to look at the deploy again',
  'thanks, the deploy of this is for you and the team to look at',
  'we have the log of the server from the build, it is not what we look for',
];
/** Words that nearly all of them have, and words that some have. */
export const frequentWords = [
  'server',
  'the',
  'deploy the server',
  'look at it',
  'build',
  'is we',
  'lo*',
  '"of the"',
];

/** So many rows are written by one statement, which has 15 seconds. */
const atOnce = 5000;

interface Filled {
  id: number;
  conversationId: number;
}

/** What is written in each of some channels. */
interface History {
  count: number;
  /** The names of topics that it is spread over evenly. */
  topics: readonly string[];
}

/**
 * Fills channels of a realm with messages that were sent before anybody came. What workers do about messages sooner or
 * later has been done: their words are collected.
 */
export async function fillHistory(
  { db, sql }: Pick<Engine, 'db' | 'sql'>,
  realmId: number,
  channels: readonly Filled[],
  { count, topics }: History,
): Promise<void> {
  if (channels.length === 0 || count === 0) return;
  let unmerged = 0;
  for (const channel of channels) {
    const rows = await sql<{ id: number }[]>`
      insert into topics (realm_id, channel_id, name)
      select ${realmId}::int, ${channel.id}::int, name from unnest(${topics}::text[]) name returning id`;
    const topicIds = rows.map(({ id }) => id);
    for (let left = count; left > 0; left -= atOnce) {
      const some = Math.min(left, atOnce);
      await insertMessages({ sql }, realmId, channel, { topicIds, count: some, secondsAgo: left });
      unmerged += some;
      if (unmerged < atOnce) continue;
      await sql`select merge_search_indexes()`;
      unmerged = 0;
    }
  }
  await sql`select merge_search_indexes()`;
  for (let hasMore = true; hasMore;) ({ hasMore } = await actions.messages.collectTerms(db, { realmId }));
}

const insertMessages = async (
  { sql }: Pick<Engine, 'sql'>,
  realmId: number,
  { id: channelId, conversationId }: Filled,
  { topicIds, count, secondsAgo }: { topicIds: readonly number[]; count: number; secondsAgo: number },
) =>
  await sql`
    with head as (
      update realm_heads set message_id = message_id + ${count}::int where realm_id = ${realmId}
      returning message_id - ${count}::int as id
    ), conversation as (
      update conversation_heads set ordinal = ordinal + ${count}::int,
        first_message_id = coalesce(first_message_id, (select id + 1 from head))
      where realm_id = ${realmId} and conversation_id = ${conversationId} returning ordinal - ${count}::int as ordinal
    )
    insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
      rendered_content, client)
    select head.id + n, ${realmId}, ${conversationId}, conversation.ordinal + n, ${channelId},
      (${topicIds}::bigint[])[1 + n % ${topicIds.length}::int],
      (select min(id) from users where realm_id = ${realmId}), now() - make_interval(secs => ${secondsAgo}::int - n),
      sentence || ' ' || n, '<p>' || sentence || ' ' || n || '</p>', 'load'
    from head, conversation, generate_series(1, ${count}::int) n
    cross join lateral (select (${sentences}::text[])[1 + n % ${sentences.length}::int] as sentence) s`;
