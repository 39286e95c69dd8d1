export { immediately, cancelDeletion, scheduleDeletion } from './schedule-deletion.ts';
