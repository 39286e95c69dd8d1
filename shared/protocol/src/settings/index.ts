export * from './groups.ts';
export * from './realm.ts';
export * from './user.ts';
