export * from './find.ts';
export * from './state.ts';
