export * from './compose.ts';
export * from './edit.ts';
