export * from './connect.ts';
export * from './members.ts';
export * from './migrate.ts';
export * as tables from './tables/index.ts';
export type * from './rows.ts';
