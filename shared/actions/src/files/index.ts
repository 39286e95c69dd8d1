export { atOnce, cancelDeletion, scheduleDeletion } from './orphaned.ts';
