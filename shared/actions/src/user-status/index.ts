export { parseStatus } from './parse.ts';
export { setStatus } from './set.ts';
