export { type Portion, advance } from './advance.ts';
export { type Claim, claim, finish, recordPushed, retry } from './claim.ts';
export { postpone, removeExpired } from './postpone.ts';
export { readNews } from './read-log.ts';
