export * from './create.ts';
export * from './find.ts';
