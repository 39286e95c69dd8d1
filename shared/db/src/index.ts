export * from './connect.ts';
export * from './migrate.ts';
export * as tables from './tables/index.ts';
