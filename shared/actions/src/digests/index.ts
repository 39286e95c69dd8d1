export { schedule } from './schedule.ts';
