export { parseStatus } from './parse.ts';
export { setOwnStatus, setStatus, setStatusOf } from './set.ts';
