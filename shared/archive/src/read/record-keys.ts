import type { Sql } from '@parley/db';

import { type Writing, inTransaction } from './writing.ts';

/** People whose messages are recorded in one transaction, and transactions at a time. */
const [sendersPerStep, stepsAtOnce] = [10, 2];

/**
 * Records what stands for the messages of a realm that an archive has become, so that a later one of the same source adds what
 * it has more. Doing it again changes nothing.
 */
export async function recordKeys(sql: Sql, realmId: number): Promise<void> {
  for (let after = 0; ;) {
    const senders = await sql<{ id: number }[]>`
      select id from users where realm_id = ${realmId} and id > ${after} order by id
      limit ${sendersPerStep * stepsAtOnce}`;
    const last = senders.at(-1);
    if (!last) return;
    const ids = senders.map(({ id }) => id);
    const steps = [ids.slice(0, sendersPerStep), ids.slice(sendersPerStep)].filter(
      ({ length }) => length > 0,
    );
    await Promise.all(steps.map((some) => recordSome(sql, realmId, some)));
    after = last.id;
  }
}

const recordSome = async (sql: Sql, realmId: number, senderIds: number[]) =>
  await inTransaction(
    sql,
    (tx) => tx`
      insert into imported_messages (realm_id, key, message_id, content_hash, reactions_hash)
      select m.realm_id, imported_message_key(
        u.email, (extract(epoch from m.sent_at) * 1000000)::bigint,
        (row_number() over (partition by m.sender_id, m.sent_at order by m.id))::int
      ), m.id, hashtextextended(m.content, 0), (
        select coalesce(bit_xor(reaction_hash(r.user_id, r.reaction_type, r.emoji_code)), 0)
        from reactions r where r.realm_id = ${realmId} and r.message_id = m.id
      )
      from messages m join users u on u.realm_id = m.realm_id and u.id = m.sender_id
      where m.realm_id = ${realmId} and m.sender_id = any(${senderIds})
      on conflict (realm_id, key) do nothing`,
  );

/** Records that an archive was read: the same one changes nothing, and ids of a later one go on from there. */
export async function recordArchive(
  tx: Writing,
  realmId: number,
  archive: string,
  last: number,
): Promise<void> {
  await tx`
    insert into merged_archives (realm_id, archive, last_message_id) values (${realmId}, ${archive}, ${last})`;
}
