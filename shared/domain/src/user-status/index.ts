export * from './find.ts';
export * from './read.ts';
export * from './set.ts';
