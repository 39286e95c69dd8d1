import { gauge } from '@parley/telemetry';

import type { JobAdmin } from './job-admin.ts';

const waiting = gauge('parley_worker_jobs_waiting', 'Jobs that wait for a worker', ['queue']);
const jobs = gauge('parley_worker_jobs', 'Jobs that are delayed, running or failed', ['queue', 'state']);

/** Measures the jobs of all workers, until disposed of. */
export function measureJobs(admin: Pick<JobAdmin, 'count'>): Disposable {
  let reading: ReturnType<JobAdmin['count']> | undefined;
  /** Both gauges are read at the same time, from one answer. */
  const read = async () => {
    reading ??= admin.count().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
  const measuring = [
    waiting.watch(async (set) => {
      for (const { queue, waiting } of await read()) set(waiting, { queue });
    }),
    jobs.watch(async (set) => {
      for (const { queue, delayed, active, failed } of await read()) {
        set(delayed, { queue, state: 'delayed' });
        set(active, { queue, state: 'active' });
        set(failed, { queue, state: 'failed' });
      }
    }),
  ];
  return {
    [Symbol.dispose]() {
      for (const one of measuring) one[Symbol.dispose]();
    },
  };
}
