export { recurringJobs } from './jobs/index.ts';
