export { end, endAll, endById, endOthers, removeExpired } from './end.ts';
export { start } from './start.ts';
