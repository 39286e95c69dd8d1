import { type Tx, tables } from '@parley/db';
import { eq, sql } from 'drizzle-orm';

/** The most messages whose words are collected in one transaction, and of how many bytes one more begins. */
const messagesPerStep = 500;
const bytesPerStep = 262_144;

/**
 * Collects the words of a realm's newest messages and of their topics, so that searches need not look for them in the messages.
 * One call takes a step, which is short whatever the size of the realm, and answers whether there is more to do. Two that
 * run at once do not wait for each other, and who comes after one that died goes on where it was.
 */
export async function collectTerms(db: Tx, { realmId }: { realmId: number }): Promise<{ hasMore: boolean }> {
  const { searchCursors: cursors } = tables;
  await db.execute(sql`
    insert into search_cursors (realm_id, message_id) select ${realmId}::int, 0
    where not exists (select from search_cursors where realm_id = ${realmId}) on conflict do nothing`);
  return await db.transaction(async (tx) => {
    const [cursor] = await tx
      .select()
      .from(cursors)
      .where(eq(cursors.realmId, realmId))
      .for('update', { skipLocked: true });
    if (!cursor) return { hasMore: false };
    // What the head has counted has been committed with it, so nothing below it comes later.
    const [step] = await tx.execute<{ count: number; taken: number; last: number; head: number }>(sql`
      with next as materialized (
        select id, content, topic_id, sum(octet_length(content)) over (order by id) - octet_length(content) as bytes_before
        from (
          select id, content, topic_id from messages
          where realm_id = ${realmId} and id > ${cursor.messageId} order by id limit ${messagesPerStep}
        ) m
      ), step as materialized (
        select * from next where bytes_before < ${bytesPerStep}
      ), noted as materialized (
        select note_search_terms(${realmId}, array(
          select distinct word from (
            select words_of_text(content) as words from step
            union all
            select words_of_text(name) from topics
            where realm_id = ${realmId} and id in (select topic_id from step)
          ) t cross join lateral unnest(tsvector_to_array(t.words)) word
        ))
      )
      select (select count(*)::int from next) as count, (select count(*)::int from step) as taken,
        coalesce((select max(id) from step), 0) as last,
        (select message_id from realm_heads where realm_id = ${realmId}) as head
      from noted`);
    if (!step) return { hasMore: false };
    const hasMore = step.count === messagesPerStep || step.taken < step.count;
    await tx
      .update(cursors)
      .set({ messageId: Math.max(cursor.messageId, Number(step.last), hasMore ? 0 : Number(step.head)) })
      .where(eq(cursors.realmId, realmId));
    return { hasMore };
  });
}
