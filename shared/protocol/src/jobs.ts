/** Names of the jobs that run in workers when they are enqueued. Each job is about one thing. */
export const jobNames = [
  'preview-links',
  'confirm-email',
  'send-mail',
  'reset-password',
  'export-realm',
  'import-archive',
  'deliver-due',
  'deliver-webhook',
  'measure-traffic',
  'collect-search-terms',
  'feed-search-engine',
  'notify-realm',
  'send-push',
  'send-missed-messages',
] as const;
export type JobName = (typeof jobNames)[number];

/**
 * A job holds only the id of the thing it is about and its realm, and the worker reads the rest. Running a job twice changes
 * nothing.
 */
export interface Job {
  name: JobName;
  id: number;
  /** The realm of the thing, whose id another realm's may have, too. */
  realmId?: number;
  /** When it is to run, in milliseconds since 1970; without it, as soon as possible. */
  dueMs?: number;
}
