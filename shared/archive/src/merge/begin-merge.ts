import type { Sql } from '@parley/db';
import type { Realm } from '@parley/model';

import type { ImportRow } from '../read/begin.ts';
import { refused } from '../read/refused.ts';
import type { Survey } from '../read/survey.ts';
import { type Writing, inTransaction } from '../read/writing.ts';

/** The name of an import into an organization that is there. No organization can have it. */
const nameOfMerge = ({ name }: Pick<Realm, 'name'>) => `into ${name}`;

/** An import that was interrupted, and when it began. */
export type BegunMerge = ImportRow & { since: Date };

/**
 * Returns the import of an archive into an organization that is gone on with, if there is one.
 *
 * @throws ArchiveRefused where that of another archive is to be gone on with first
 */
export async function findMerge(sql: Sql, realm: Realm, { archive }: Survey): Promise<BegunMerge | null> {
  const [begun] = await sql<(BegunMerge & { archive: string })[]>`
    select id, realm_id, shifts as bases, files, archive, started_at as since from realm_imports
    where name = ${nameOfMerge(realm)}`;
  if (begun && begun.archive !== archive) {
    throw refused('other_archive', { name: realm.name });
  }
  return begun ?? null;
}

/**
 * Reserves ids for so many messages: those that follow the last one that an archive brought, below all that people have
 * written here.
 *
 * @throws ArchiveRefused if there are not enough
 */
export async function beginMerge(
  { sql, first: database }: { sql: Sql; first: Sql },
  realm: Realm,
  survey: Survey,
  messages: number,
): Promise<ImportRow> {
  // Where several servers are one database, imports are counted on the first.
  const [counted] = await database<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('realm_imports', 'id'))::int as id`;
  return await inTransaction(sql, async (tx) => {
    const [shared] = await tx<
      { sequence: string | null }[]
    >`select to_regclass('message_ids')::text as sequence`;
    if (shared?.sequence) {
      throw refused('ids_shared');
    }
    // Nobody sends before the transaction ends.
    const [head] = await tx<{ last: number }[]>`
      select message_id as last from realm_heads where realm_id = ${realm.id} for update`;
    const [before] = await tx<{ last: number | null }[]>`
      select max(last_message_id) as last from merged_archives where realm_id = ${realm.id}`;
    const last = Number(before?.last ?? 0);
    const taken = await tx<{ id: number | null }[]>`
      select min(id) as id from messages where realm_id = ${realm.id} and id > ${last}
      union all select min(id) from archived_messages where realm_id = ${realm.id} and id > ${last}`;
    const first = last + 1;
    const next = Math.min(Number(head?.last ?? 0) + 1, ...taken.map(({ id }) => Number(id ?? Infinity)));
    if (next - first < messages) {
      throw refused('no_ids_before', { count: messages, name: realm.name, free: Math.max(0, next - first) });
    }
    const [made] = await tx<ImportRow[]>`
      insert into realm_imports (id, archive, name, realm_id, shifts) overriding system value
      values (${counted?.id ?? 0}, ${survey.archive}, ${nameOfMerge(realm)}, ${realm.id}, ${JSON.stringify({ messages: first })}::text::jsonb)
      returning id, realm_id, shifts as bases, files`;
    if (!made) throw new Error('An insert returned no row.');
    return made;
  });
}

/** Makes what follows from the messages, and keeps in mind that this archive is there. */
export async function endMerge(
  tx: Writing,
  merged: { importId: number; realmId: number; archive: string; first: number; last: number },
): Promise<void> {
  const { importId, realmId, archive, first, last } = merged;
  await tx`
    update conversation_heads h set first_message_id = least(h.first_message_id, n.id)
    from (
      select coalesce(c.conversation_id, m.conversation_id) as conversation_id, min(m.id) as id from messages m
      left join channels c on c.realm_id = m.realm_id and c.id = m.channel_id
      where m.realm_id = ${realmId} and m.id between ${first} and ${last} group by 1
    ) n where h.realm_id = ${realmId} and h.conversation_id = n.conversation_id`;
  // Words are collected in the order of the ids.
  await tx`update search_cursors set message_id = least(message_id, ${first - 1}) where realm_id = ${realmId}`;
  await tx`
    insert into merged_archives (realm_id, archive, last_message_id) values (${realmId}, ${archive}, ${last})`;
  await tx`delete from realm_imports where id = ${importId}`;
}
