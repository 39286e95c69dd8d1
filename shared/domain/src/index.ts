export * from './actor.ts';
export * as channels from './channels/index.ts';
export * as emoji from './emoji/index.ts';
export * as messages from './messages/index.ts';
export * as reactions from './reactions/index.ts';
export * as realms from './realms/index.ts';
export * as userGroups from './user-groups/index.ts';
export * as userTopics from './user-topics/index.ts';
export * as users from './users/index.ts';
