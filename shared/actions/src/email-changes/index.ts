export { confirm } from './confirm.ts';
export { attemptMail, markMailed, removeExpired } from './mailed.ts';
export { request } from './request.ts';
