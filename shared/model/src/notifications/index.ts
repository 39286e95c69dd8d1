export { type DueNotification, listDueNotifications, listRealmsWithNews } from './due.ts';
export { type NotifiedUser, type WantedMessages, findNotifiedUser, findWantedMessages } from './find.ts';
export { readUnsubscribeKey, unsubscribeUrl } from './unsubscribe-key.ts';
export { wantedNotifications } from './wanted.ts';
