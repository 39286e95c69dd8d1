import { type Tx, tables } from '@parley/db';
import { bigintArray } from '@parley/model';
import { eq, sql } from 'drizzle-orm';

/** The average week is measured over the messages of this many days. */
const trafficDays = 28;
/** How many ids of a realm are a block. Triggers of the schema divide by it, too. */
const blockIds = 4096;
/** The most blocks that are counted in one transaction. */
const blocksPerStep = 8;
/** The most counts that one measurement removes: those of the day that has ended since the one before. */
const removedMax = 20_000;

/**
 * Measures how many messages each channel of a realm gets in an average week: of those that are there, where they are
 * now. Clients learn it when they register; there is no event when it changes.
 *
 * Messages are counted by blocks of their ids, each once, and again only if something of it was deleted, moved or
 * restored. One call takes a step, which is short whatever the size of the realm, and answers whether there is more to
 * do. Two that run at once do not wait for each other, and who comes after one that died goes on where it was.
 */
export async function measureTraffic(
  db: Tx,
  { realmId, now }: { realmId: number; now: Date },
): Promise<{ hasMore: boolean }> {
  const { messageCountCursors: cursors } = tables;
  await db.execute(sql`
    insert into message_count_cursors (realm_id, next_block) select ${realmId}::int, 0
    where not exists (select from message_count_cursors where realm_id = ${realmId}) on conflict do nothing`);
  return await db.transaction(async (tx) => {
    const [cursor] = await tx
      .select()
      .from(cursors)
      .where(eq(cursors.realmId, realmId))
      .for('update', { skipLocked: true });
    if (!cursor) return { hasMore: false };
    const first = await findFirst(tx, realmId, now);
    const next = Math.max(cursor.nextBlock, blockOf(first));
    const isDone = !(await countChanged(tx, realmId, next)) && !(await countNext(tx, realmId, next));
    if (isDone) {
      await measure(tx, { realmId, first, next, now });
      await tx.update(cursors).set({ measuredAt: now }).where(eq(cursors.realmId, realmId));
    }
    return { hasMore: !isDone };
  });
}

const blockOf = (messageId: number) => Math.floor(messageId / blockIds);

/**
 * Returns the first id of the measured days. Message ids of a realm are in the order of time, so it is found by bisection,
 * and no older message is read.
 */
async function findFirst(tx: Tx, realmId: number, now: Date): Promise<number> {
  const since = new Date(now.getTime() - trafficDays * 86_400_000).toISOString();
  const [found] = await tx.execute<{ id: number }>(sql`
    with recursive search (low, high) as (
      select 0::bigint, message_id + 1 from realm_heads where realm_id = ${realmId}
      union all
      select case when next.is_older then (s.low + s.high) / 2 + 1 else s.low end,
        case when next.is_older then s.high else (s.low + s.high) / 2 end
      from search s left join lateral (
        select sent_at < ${since}::timestamptz as is_older from messages
        where realm_id = ${realmId} and id >= (s.low + s.high) / 2 order by id limit 1
      ) next on true
      where s.low < s.high
    )
    select low as id from search where low = high`);
  return Number(found?.id ?? 0);
}

/**
 * Counts blocks again of which something has changed. What is noted has been committed, and is seen by the statements
 * that follow; whatever is noted later stays for the next step.
 */
async function countChanged(tx: Tx, realmId: number, next: number): Promise<boolean> {
  const rows = await tx.execute<{ block: number }>(sql`
    with recursive changed (block) as (
      (select block from changed_message_blocks where realm_id = ${realmId} order by block limit 1)
      union all
      select (
        select n.block from changed_message_blocks n
        where n.realm_id = ${realmId} and n.block > c.block order by n.block limit 1
      ) from changed c where c.block is not null
    )
    select block from changed where block is not null limit ${blocksPerStep}`);
  if (rows.length === 0) return false;
  const blocks = rows.map(({ block }) => Number(block));
  await tx.execute(sql`
    delete from changed_message_blocks where realm_id = ${realmId} and block = any(${bigintArray(blocks)})`);
  // Later blocks are counted anyway, when it is their turn.
  await count(
    tx,
    realmId,
    blocks.filter((block) => block < next),
  );
  return true;
}

/** Counts the next blocks that have messages, up to the newest, which is not full yet and is never counted. */
async function countNext(tx: Tx, realmId: number, next: number): Promise<boolean> {
  const [head] = await tx
    .select({ messageId: tables.realmHeads.messageId })
    .from(tables.realmHeads)
    .where(eq(tables.realmHeads.realmId, realmId));
  const newest = blockOf(head?.messageId ?? 0);
  if (next >= newest) return false;
  const rows = await tx.execute<{ block: number }>(sql`
    with recursive filled (block) as (
      (
        select id / ${blockIds}::bigint from messages
        where realm_id = ${realmId} and id >= ${next * blockIds}::bigint order by id limit 1
      )
      union all
      select (
        select m.id / ${blockIds}::bigint from messages m
        where m.realm_id = ${realmId} and m.id >= (f.block + 1) * ${blockIds} order by m.id limit 1
      ) from filled f where f.block is not null
    )
    select block from filled where block < ${newest}::bigint limit ${blocksPerStep}`);
  const blocks = rows.map(({ block }) => Number(block));
  await count(tx, realmId, blocks);
  const nextBlock = blocks.length < blocksPerStep ? newest : (blocks.at(-1) ?? next) + 1;
  await tx
    .update(tables.messageCountCursors)
    .set({ nextBlock })
    .where(eq(tables.messageCountCursors.realmId, realmId));
  return true;
}

async function count(tx: Tx, realmId: number, blocks: number[]): Promise<void> {
  if (blocks.length === 0) return;
  await tx.execute(sql`
    delete from message_counts where realm_id = ${realmId} and block = any(${bigintArray(blocks)})`);
  await tx.execute(sql`
    insert into message_counts (realm_id, block, channel_id, messages)
    select ${realmId}, b.block, m.channel_id, count(*) from unnest(${bigintArray(blocks)}) b (block)
    join messages m on m.realm_id = ${realmId} and m.id >= b.block * ${blockIds} and m.id < (b.block + 1) * ${blockIds}
    where m.channel_id is not null group by 2, 3`);
}

interface Measured {
  realmId: number;
  /** The first id of the measured days, and the first block that is not counted. */
  first: number;
  next: number;
  now: Date;
}

/** Adds up what is counted, and counts what is in the block in which the days begin, and in the newest. */
async function measure(tx: Tx, { realmId, first, next, now }: Measured): Promise<void> {
  const edge = (blockOf(first) + 1) * blockIds;
  await tx.execute(sql`
    with counted as (
      select channel_id, messages::bigint from message_counts
      where realm_id = ${realmId} and block > ${blockOf(first)}::bigint and block < ${next}::bigint
      union all
      select channel_id, count(*) from messages
      where realm_id = ${realmId} and channel_id is not null
        and (id >= ${first}::bigint and id < ${edge}::bigint or id >= ${Math.max(edge, next * blockIds)}::bigint)
      group by 1
    ), measured as (
      select c.id, ceil(coalesce(sum(n.messages), 0) * 7.0 / greatest(7, least(
        ${trafficDays}, extract(epoch from ${now.toISOString()}::timestamptz - c.created_at) / 86400
      )))::int as traffic
      from channels c left join counted n on n.channel_id = c.id where c.realm_id = ${realmId} group by c.id, c.created_at
    )
    update channels c set weekly_traffic = m.traffic from measured m
    where c.realm_id = ${realmId} and m.id = c.id and c.weekly_traffic is distinct from m.traffic`);
  await tx.execute(sql`
    delete from message_counts where realm_id = ${realmId} and (realm_id, block, channel_id) in (
      select realm_id, block, channel_id from message_counts
      where realm_id = ${realmId} and block < ${blockOf(first)}::bigint order by block limit ${removedMax}
    )`);
}
