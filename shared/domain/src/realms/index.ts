export * from './create.ts';
export * from './find.ts';
export * from './rules.ts';
