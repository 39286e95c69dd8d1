export { cancel, confirm, expire } from './decide.ts';
export { announce, append } from './upload.ts';
export { type ImportLease, ImportLeaseLost, advance, fail, finish, finishPlan, takeUp } from './work.ts';
