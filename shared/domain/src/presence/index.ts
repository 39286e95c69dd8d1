export * from './find.ts';
export * from './note.ts';
export * from './state.ts';
