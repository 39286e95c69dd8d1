import { files, messages, places } from './messages.ts';
import { belongings, foundations } from './people.ts';
import type { ExportedTable } from './table.ts';

/** All tables of which rows are exported, each after those that its rows refer to. */
export const exportedTables: readonly ExportedTable[] = [
  ...foundations,
  ...places,
  ...belongings,
  ...files,
  ...messages,
];

/** The tables that no export contains, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  realm_heads: 'an import begins a log of its own',
  event_log: 'it tells clients of changes for an hour; an import has no clients yet',
  audiences: 'they follow from the members of conversations',
  upload_usage: 'it follows from the uploads',
  archived_messages: 'deleted messages are no longer the organization’s; restore those that are wanted',
  realm_locks: 'nobody holds a lock of another deployment',
  loose_folders: 'files that nothing refers to',
  former_realm_names: 'they are addresses of the deployment',
  sessions: 'people sign in anew',
  external_identities: 'the provider of another deployment may be another one',
  push_tokens: 'apps register where they sign in',
  vapid_keys: 'an import makes its own',
  webhook_deliveries: 'what is on its way is the deployment’s to deliver',
  notification_cursors: 'an import begins at the end of its log',
  message_count_cursors: 'messages are counted where they are',
  message_counts: 'messages are counted where they are',
  imported_messages: 'an import writes its own',
  merged_archives: 'an import writes its own',
  search_terms: 'they follow from the messages',
  search_cursors: 'terms are collected where the messages are',
  search_engine_cursors: 'a search engine is fed where the messages are',
  changed_message_blocks: 'messages are counted where they are',
  pending_notifications: 'what is on its way is the deployment’s to deliver',
  pushed_messages: 'apps register where they sign in',
  digests: 'they are sent by the deployment that has them',
  email_changes: 'their confirmation is void after a day',
  mails: 'they are sent by the deployment that has them',
  partial_uploads: 'what has not arrived completely is sent again',
  partial_upload_pieces: 'what has not arrived completely is sent again',
  realm_exports: 'exports are the deployment’s',
  realm_export_parts: 'exports are the deployment’s',
  realm_imports: 'imports are the deployment’s',
  archive_imports: 'imports are the deployment’s',
  archive_import_pieces: 'what has not been imported is sent again',
  import_holds: 'imports are the deployment’s',
};
