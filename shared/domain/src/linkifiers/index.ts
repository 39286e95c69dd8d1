export * from './create.ts';
export * from './edit.ts';
export * from './remove.ts';
export * from './reorder.ts';
export * from './state.ts';
