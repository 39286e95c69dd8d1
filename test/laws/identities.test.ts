import { expect, test } from 'vitest';

import { getWorld } from '../support/index.ts';
import { filesIn } from './source-files.ts';

/**
 * Where numbers are drawn, and of what type. One that a million people could raise past 2^31 within ten years is a bigint; of
 * those that are int it is said why they stay below.
 */
const drawn: Readonly<Record<string, 'bigint' | `int: ${string}`>> = {
  archive_imports: 'bigint',
  attachments: 'bigint',
  audiences: 'bigint',
  changed_message_blocks: 'bigint',
  channel_folders: 'int: an organization has a few',
  channels: 'int: far fewer than accounts',
  conversations: 'bigint',
  custom_profile_fields: 'int: an organization has a few',
  default_channel_groups: 'int: an organization has a few',
  drafts: 'bigint',
  email_changes: 'bigint',
  invitations: 'bigint',
  linkifiers: 'int: an organization has a few',
  mails: 'bigint',
  message_edits: 'bigint',
  message_moves: 'bigint',
  navigation_views: 'int: an account has a few, and keeps them',
  pending_notifications: 'bigint',
  playgrounds: 'int: an organization has a few',
  push_tokens: 'bigint',
  reactions: 'bigint',
  realm_domains: 'int: an organization has a few',
  realm_emoji: 'int: an organization has a few hundred',
  realm_exports: 'int: an organization makes a few a week',
  realm_imports: 'int: operators begin them by hand',
  realms: 'int: far fewer than accounts',
  reminders: 'bigint',
  saved_snippets: 'int: an account has a few, and keeps them',
  scheduled_messages: 'bigint',
  submessages: 'bigint',
  topics: 'bigint',
  user_groups: 'int: far fewer than accounts',
  users: 'int: accounts are millions, and bitmaps of them have 32 bits',
  webhook_deliveries: 'bigint',
};

/** Sequences that belong to no column, and counters in rows. */
const counters: Readonly<Record<string, 'bigint'>> = {
  presence_updates: 'bigint',
  skipped_ids: 'bigint',
  skipped_audience_ids: 'bigint',
  'realm_heads.message_id': 'bigint',
  'realm_heads.seq': 'bigint',
  'conversation_heads.ordinal': 'bigint',
};

test('whatever numbers are drawn from has room for ten years of a million people', async () => {
  const { sql } = await getWorld();
  const columns = await sql<{ table: string; type: string }[]>`
    select attrelid::regclass::text as table, format_type(atttypid, atttypmod) as type from pg_attribute
    join pg_class c on c.oid = attrelid and c.relnamespace = 'public'::regnamespace where attidentity <> ''`;
  const typeOf = (said: string) => (said === 'bigint' ? 'bigint' : 'integer');
  expect(Object.fromEntries(columns.map(({ table, type }) => [table, type]))).toEqual(
    Object.fromEntries(Object.entries(drawn).map(([table, said]) => [table, typeOf(said)])),
  );
});

test('counters have as much room', async () => {
  const { sql } = await getWorld();
  const sequences = await sql<{ name: string; type: string }[]>`
    select seqrelid::regclass::text as name, format_type(seqtypid, null) as type from pg_sequence
    join pg_class c on c.oid = seqrelid and c.relnamespace = 'public'::regnamespace
    where not exists (select from pg_depend where objid = seqrelid and deptype = 'i')
    union all
    select attrelid::regclass || '.' || attname, format_type(atttypid, atttypmod) from pg_attribute
    where attrelid in ('realm_heads'::regclass, 'conversation_heads'::regclass)
      and attname in ('message_id', 'seq', 'ordinal')`;
  expect(Object.fromEntries(sequences.map(({ name, type }) => [name, type]))).toEqual(counters);
});

test('whatever refers to one has its type', async () => {
  const { sql } = await getWorld();
  const narrower = await sql`
    select a.attrelid::regclass || '.' || a.attname as column from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    where a.atttypid = 'int'::regtype and (a.attname ~ '(^|_)message_ids?$' or (a.attname ~ '_id$' and
      to_regclass(regexp_replace(a.attname, '_id$', 's')) in (
        select attrelid from pg_attribute where attidentity <> '' and atttypid = 'bigint'::regtype)))`;
  expect(narrower.map((row) => row['column'])).toEqual([]);
});

test('no statement makes one narrower again', () => {
  const bigints = Object.entries(drawn).flatMap(([table, said]) =>
    said === 'bigint' ? [table.replace(/s$/, '')] : [],
  );
  const narrowing = new RegExp(String.raw`\b(?:message|${bigints.join('|')})_ids?\)?::int\b`);
  // Nodes of the version before call these, as long as ids are small.
  const old = /\/append_(?:messages|to_log)\.sql$/;
  const files = [...filesIn('services'), ...filesIn('shared')].filter(
    ({ path }) => !old.test(path) && !path.startsWith('shared/db/migrations/'),
  );
  expect(files.filter(({ text }) => narrowing.test(text)).map(({ path }) => path)).toEqual([]);
});
