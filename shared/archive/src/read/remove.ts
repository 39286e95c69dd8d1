import type { Sql } from '@parley/db';
import type { FileStore } from '@parley/files';

import { exportedTables } from '../tables/index.ts';
import { inTransaction } from './writing.ts';

/** Messages that one statement deletes, with all that belongs to them. */
const messagesPerStep = 10_000;

/** The folders of the file store in which realms have folders of their own. */
const folders = ['uploads', 'avatars', 'emoji', 'realm-pictures'] as const;

/** Tables that have rows of a realm beside those that an archive has. */
const followingTables = [
  'upload_usage',
  'realm_heads',
  'event_log',
  'notification_cursors',
  'message_count_cursors',
  'message_counts',
  'changed_message_blocks',
  'search_terms',
  'search_cursors',
  'search_engine_cursors',
  'imported_messages',
  'merged_archives',
];

/** The number of read files of an import of which everything is being removed. */
export const isBeingRemoved = -1;

/**
 * Removes a realm that an import has begun and nobody has reached: its rows, its files, and the import itself. A removal
 * that was interrupted is gone on with by doing it again.
 */
export async function removeImport(
  { sql, store }: { sql: Sql; store: FileStore },
  { id, realm_id: realmId }: { id: number; realm_id: number },
): Promise<void> {
  await sql`update realm_imports set files = ${isBeingRemoved} where id = ${id}`;
  for (const folder of folders) await store.remove(`${folder}/${realmId}`);
  while (
    (
      await inTransaction(
        sql,
        (tx) => tx`
    delete from messages where realm_id = ${realmId} and id in (
      select id from messages where realm_id = ${realmId} limit ${messagesPerStep})`,
      )
    ).count > 0
  );
  for (const { name, rows } of exportedTables.toReversed()) {
    if (name === 'realms') continue;
    await inTransaction(sql, async (tx) => {
      await tx.unsafe(`delete from ${name} t where ${rows(realmId)}`);
      if (name === 'conversation_heads') await tx`delete from audiences where realm_id = ${realmId}`;
    });
  }
  await inTransaction(sql, async (tx) => {
    for (const table of followingTables) await tx.unsafe(`delete from ${table} where realm_id = ${realmId}`);
    await tx`delete from realms where id = ${realmId}`;
    await tx`delete from realm_imports where id = ${id}`;
  });
}
