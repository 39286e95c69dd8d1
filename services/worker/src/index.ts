export {
  type JobDeps,
  type OnDemandJob,
  type RecurringJob,
  onDemandJobs,
  recurringJobs,
} from './jobs/index.ts';
export * from './outbound/client.ts';
export { isPublicAddress } from './outbound/guard.ts';
export { fetchPreview } from './pages/fetch-preview.ts';
export { runJobs } from './run-jobs.ts';
