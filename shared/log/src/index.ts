export { connectSql, createSchemaCheck, isDatabaseUnavailable, type Sql } from '@parley/db';
export { type Audiences, createAudiences } from './audiences.ts';
export { appendRoom } from './append.ts';
export { Repeated, appendResult, beginAction, mayRunAgain, messageIdsOf } from './append-result.ts';
export { type FlagChanger, createFlagChanger } from './change-flags.ts';
export { type Credentials, findCredentials } from './credentials.ts';
export { type DatabaseWatch, createDatabaseWatch } from './database-watch.ts';
export { type EphemeralPublisher, createEphemeralPublisher } from './ephemeral.ts';
export { beginEpochs, createFence } from './fence.ts';
export { type Follower, type FollowerListener, type LogTail, createFollower } from './follower.ts';
export { beginningOf, termOf } from './position.ts';
export { type Publisher, createPublisher } from './publish.ts';
export {
  type Head,
  type LogPage,
  type ReadLimits,
  readHeads,
  readLog,
  readTerm,
  tailStart,
} from './read-log.ts';
export { type Sender, type Sent, createSender } from './send.ts';
export { Servers } from './servers.ts';
export { type SqlServers, oneServer } from './sql-servers.ts';
export { readLogHeads, readStreamEnds } from './report.ts';
export { keptMinutes, trimLog, trimLogs } from './trim-log.ts';
