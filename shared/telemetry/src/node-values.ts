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
  'process_resident_memory_bytes',
] as const;

/**
 * Returns a function that reads their present values, each summed over its labels, and how busy the event loop was since
 * the last time, from 0 to 1. Metrics that this process does not have are left out.
 */
export function createNodeMeasure(): () => Promise<Record<string, number>> {
  let before = performance.eventLoopUtilization();
  return async () => {
    const now = performance.eventLoopUtilization();
    const values: Record<string, number> = {
      busy: performance.eventLoopUtilization(now, before).utilization,
    };
    before = now;
    for (const name of names) {
      const metric = await registry.getSingleMetric(name)?.get();
      if (!metric || metric.values.length === 0) continue;
      values[name] = metric.values.reduce((sum, { value }) => sum + value, 0);
    }
    return values;
  };
}
