export {
  type ConnectedDatabase,
  type Database,
  type DatabaseOptions,
  type Sql,
  type Tx,
  connectDatabase,
  connectSql,
  isConflict,
  isDatabaseError,
  isDatabaseUnavailable,
  isStatementTooLong,
  isOutOfMessageIds,
  isOutdated,
  isStaleStatement,
} from './connect.ts';
export { distribute, planDistribution } from './distribution/distribute.ts';
export { closePart, guardFunction, guardTrigger, openParts, partSchema } from './migrations/parts.ts';
export { planRebalance, rebalance } from './distribution/rebalance.ts';
export { type ServerShare, isolateRealm, listServers, moveRealm } from './distribution/servers.ts';
export { readFunctions } from './migrations/functions.ts';
export { isDistributed } from './migrations/is-distributed.ts';
export { type IdSet, createIdSet } from './id-set.ts';
export { createMemberFilter, decodeMembers, encodeMembers } from './members.ts';
export { type MigrateOptions, migrate } from './migrations/migrate.ts';
export { MigrationError } from './migrations/migration-error.ts';
export { type PlannedMigration, listBackfills, planMigrations } from './migrations/plan.ts';
export { readMigrationState } from './migrations/migration-state.ts';
export { createSchemaCheck } from './migrations/schema-check.ts';
export { readOnce } from './snapshots.ts';
export type {
  ArchiveImportRow,
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
export {
  listIdsLeft,
  listLargestRealms,
  listLockWaits,
  listReplicas,
  readArchiveAge,
  readConnections,
} from './statistics.ts';
export { splitStatements } from './migrations/split-statements.ts';
export * as tables from './tables/index.ts';
