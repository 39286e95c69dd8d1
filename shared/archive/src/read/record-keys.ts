import type { Writing } from './writing.ts';

/**
 * Records what stands for the messages of a realm that an archive has become, and the archive: a later one of the same source
 * adds what it has more.
 */
export async function recordKeys(tx: Writing, realmId: number, archive: string, last: number): Promise<void> {
  await tx`
    insert into imported_messages (realm_id, key, message_id, content_hash)
    select m.realm_id, imported_message_key(
      u.email, (extract(epoch from m.sent_at) * 1000000)::bigint,
      (row_number() over (partition by m.sender_id, m.sent_at order by m.id))::int
    ), m.id, hashtextextended(m.content, 0)
    from messages m join users u on u.realm_id = m.realm_id and u.id = m.sender_id where m.realm_id = ${realmId}
    on conflict (realm_id, key) do nothing`;
  await tx`
    insert into merged_archives (realm_id, archive, last_message_id) values (${realmId}, ${archive}, ${last})`;
}
