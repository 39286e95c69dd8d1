export {
  type Database,
  type Sql,
  type Tx,
  connectDatabase,
  connectSql,
  isDatabaseUnavailable,
  isDeadlock,
} from './connect.ts';
export { type IdSet, createIdSet } from './id-set.ts';
export { createMemberFilter, decodeMembers, encodeMembers } from './members.ts';
export { migrate } from './migrate.ts';
export { readMigrationState } from './migration-state.ts';
export { createSchemaCheck } from './schema-check.ts';
export type {
  AttachmentRow,
  ChannelFolderRow,
  ChannelRow,
  DefaultChannelGroupRow,
  DraftRow,
  InvitationRow,
  LinkifierRow,
  MessageRow,
  NavigationViewRow,
  PartialUploadRow,
  PlaygroundRow,
  ProfileFieldRow,
  RealmDomainRow,
  RealmExportPartRow,
  RealmExportRow,
  ReminderRow,
  SavedSnippetRow,
  ScheduledMessageRow,
  TopicRow,
  UserGroupRow,
  UserRow,
} from './rows.ts';
export * as tables from './tables/index.ts';
