export * from './find.ts';
export * from './may.ts';
export * from './state.ts';
export * from './subscribe.ts';
export * from './watchers.ts';
