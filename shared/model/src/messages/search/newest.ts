import { type SQL, sql } from 'drizzle-orm';

/** A search looks through so many messages for forms of its words, without their being collected: in about a millisecond. */
export const uncollectedMax = 50;

/** The newest messages whose words have not been collected: at most so many, and so many bytes of their texts. */
const messagesMax = 1000;
const bytesMax = 262_144;

/** Returns the newest messages of a realm whose words have not been collected, as a query of `content` and `topic_id`. */
export const selectUncollected = (realmId: number): SQL => sql`
  select content, topic_id from (
    select content, topic_id, sum(octet_length(content)) over (order by id desc) as bytes from (
      select id, content, topic_id from messages where realm_id = ${realmId} and id > coalesce(
        (select message_id from search_cursors where realm_id = ${realmId}), 0
      ) order by id desc limit ${messagesMax}
    ) m
  ) m where bytes <= ${bytesMax}`;
