/** Work that workers do when it is enqueued, each about one thing. */
export const jobNames = ['preview-links'] as const;
export type JobName = (typeof jobNames)[number];

/** A job names what it is about; whoever runs it looks the rest up. Running it twice changes nothing. */
export interface Job {
  name: JobName;
  id: number;
}
