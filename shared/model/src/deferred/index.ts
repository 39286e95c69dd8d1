export { findDue, listDueJobs } from './due.ts';
