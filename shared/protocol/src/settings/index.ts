export * from './groups.ts';
export * from './language.ts';
export * from './realm.ts';
export * from './timezone.ts';
export * from './user.ts';
