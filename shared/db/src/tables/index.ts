export * from './channels.ts';
export * from './conversations.ts';
export * from './messages.ts';
export * from './realm-heads.ts';
export * from './realms.ts';
export * from './user-groups.ts';
export * from './users.ts';
