import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Imported, exportedTables, importArchive } from '@parley/archive';

import { type Elsewhere, getWorld } from '../../support/index.ts';

/** Imports an archive into a deployment. */
export const importInto = async (
  { sql, db, store }: Elsewhere,
  archive: string,
  name: string,
): Promise<Imported> =>
  await importArchive({ sql, db, store, site: (await getWorld()).site, archive, name, now: new Date() });

/** What a deployment has: of each table a digest of its rows, and of each file one of its bytes. */
type Snapshot = Readonly<Record<string, string>>;

const realmScoped = new Set([
  'audiences',
  'upload_usage',
  'realm_heads',
  'event_log',
  'notification_cursors',
  'message_count_cursors',
  'message_counts',
  'search_terms',
  'search_cursors',
  'search_engine_cursors',
  'changed_message_blocks',
  'imported_messages',
  'merged_archives',
]);

/** Returns what a deployment has beside one of its realms. */
export async function snapshotBeside({ sql, uploads }: Elsewhere, realmId: number): Promise<Snapshot> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const rowsOf = new Map(exportedTables.map(({ name, rows }) => [name, rows(realmId)]));
  const digests = tables.map(({ name }) => {
    const own = rowsOf.get(name) ?? (realmScoped.has(name) ? `t.realm_id = ${realmId}` : 'false');
    return `select '${name}' as name, concat(count(*), ' ', sum(hashtextextended(t::text, 0))) as digest
      from ${name} t where not coalesce(${own}, false)`;
  });
  const rows = await sql.unsafe<{ name: string; digest: string }[]>(digests.join(' union all '));
  const snapshot = Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  for (const path of (await readdir(uploads, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  )) {
    const file = join(path.parentPath, path.name);
    const key = file.slice(uploads.length + 1);
    if (key.split('/')[1] === String(realmId)) continue;
    snapshot[key] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  }
  return snapshot;
}

/** Returns what all sequences of ids have drawn together. */
export async function drawnIds({ sql }: Elsewhere): Promise<number> {
  const [row] = await sql<{ sum: number }[]>`
    select sum(coalesce(last_value, 0))::float8 as sum from pg_sequences where schemaname = 'public'`;
  return row?.sum ?? 0;
}

/** Returns the columns in which rows of a realm refer to rows that are not the realm's. */
export async function strayReferences({ sql }: Pick<Elsewhere, 'sql'>, realmId: number): Promise<string[]> {
  const stray: string[] = [];
  for (const { name, rows, refs } of exportedTables) {
    for (const [column, reference] of Object.entries(refs)) {
      const target =
        typeof reference === 'object'
          ? exportedTables.find(({ draws }) => draws === reference.ids)
          : undefined;
      if (!target) continue;
      const own = `select t.${target.drawnIn ?? 'id'} from ${target.name} t where ${target.rows(realmId)}`;
      const [found] = await sql.unsafe(`
        select from (select unnest(array[]::int[] || t.${column}) as id from ${name} t where ${rows(realmId)}) r
        where r.id is not null and r.id not in (${own}) limit 1`);
      if (found) stray.push(`${name}.${column}`);
    }
  }
  return stray;
}

const htmlColumns: readonly (readonly [table: string, column: string])[] = [
  ['messages', 'rendered_content'],
  ['message_edits', 'prev_rendered_content'],
  ['channels', 'rendered_description'],
  ['channel_folders', 'rendered_description'],
  ['realms', 'rendered_description'],
  ['scheduled_messages', 'rendered_content'],
  ['reminders', 'rendered_content'],
  ['custom_profile_values', 'rendered_value'],
];

/** Returns the columns in which a realm has HTML that a browser would run, or has none where there should be some. */
export async function badHtml({ sql }: Elsewhere, realmId: number): Promise<string[]> {
  const bad: string[] = [];
  for (const [table, column] of htmlColumns) {
    const { rows } = exportedTables.find(({ name }) => name === table) ?? {};
    const text =
      { rendered_description: 'description', rendered_value: 'value' }[column] ??
      column.replace('rendered_', '');
    const [found] = await sql.unsafe(`
      select from ${table} t where (${rows?.(realmId)}) and (t.${column} ~* '<(script|img src=.?x|svg|iframe|object)'
        or (t.${column} = '') <> (t.${text} = '')) limit 1`);
    if (found) bad.push(`${table}.${column}`);
  }
  return bad;
}

/** Returns the rights and quotas of a realm that only operators give. */
export async function operatorsRights({ sql }: Elsewhere, realmId: number): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    select 'an account' as what from users where realm_id = ${realmId}
      and (can_create_users or can_change_user_emails or can_forge_sender)
    union all select 'a quota' from realms where id = ${realmId} and upload_quota_mib is not null
    union all select 'a bot of the server' from users where realm_id = ${realmId} and is_system
      group by realm_id having count(*) <> 2`;
  return rows.map(({ what }) => what);
}
