export * from './change.ts';
export * from './find.ts';
export * from './policies.ts';
export * from './set.ts';
export * from './state.ts';
