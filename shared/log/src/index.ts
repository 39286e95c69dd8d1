export { connectSql as connectLog, isDatabaseAway, type Sql } from '@parley/db';
export * from './audiences.ts';
export * from './commit.ts';
export * from './credentials.ts';
export * from './follow.ts';
export * from './publish.ts';
export * from './read.ts';
export * from './retention.ts';
export * from './send.ts';
