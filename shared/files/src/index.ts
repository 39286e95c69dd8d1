export * from './connect.ts';
export * from './disk.ts';
export * from './images.ts';
export * from './s3.ts';
export type * from './store.ts';
