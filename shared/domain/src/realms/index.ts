export * from './create.ts';
export * from './edit.ts';
export * from './edit-user-defaults.ts';
export * from './find.ts';
export * from './rules.ts';
export * from './site.ts';
export * from './spectator.ts';
