export { end, endAll, removeExpired } from './end.ts';
export { start } from './start.ts';
