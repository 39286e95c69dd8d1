export { parseRequest } from './parse.ts';
export { set, writeStatus, setForUser } from './set.ts';
