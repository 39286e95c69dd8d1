import { registry } from './metrics.ts';

/** What every node says of itself to operators. Of these, each has those of its role. */
const names = [
  'parley_queue_parked_polls',
  'parley_queue_realms',
  'parley_queue_delivered_events_total',
  'parley_queue_ring_bytes',
  'parley_log_head',
  'parley_log_lag_entries',
  'parley_log_sequencer_waits_total',
  'parley_log_holes_filled_total',
  'parley_database_up',
  'nodejs_eventloop_lag_p99_seconds',
  'process_resident_memory_bytes',
  'process_open_fds',
] as const;

/** Their present values, each summed over its labels. Those that this process does not have are left out. */
export async function readNodeValues(): Promise<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const name of names) {
    const metric = await registry.getSingleMetric(name)?.get();
    if (!metric || metric.values.length === 0) continue;
    values[name] = metric.values.reduce((sum, { value }) => sum + value, 0);
  }
  return values;
}
