export * from './find.ts';
export * from './setting.ts';
export * from './state.ts';
