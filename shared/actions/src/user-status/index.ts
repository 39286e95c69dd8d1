export { parseStatus } from './parse.ts';
export { set, writeStatus, setForUser } from './set.ts';
