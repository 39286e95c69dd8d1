export { add } from './add.ts';
export { attempt, remove, removeExpired } from './sent.ts';
