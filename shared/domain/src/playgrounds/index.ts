export * from './create.ts';
export * from './remove.ts';
export * from './state.ts';
