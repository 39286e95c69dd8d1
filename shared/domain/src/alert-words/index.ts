export * from './add.ts';
export * from './remove.ts';
export * from './state.ts';
