import { registry } from '@parley/telemetry';
import { expect, test } from 'vitest';

import { type FollowedLog, measureLogs } from './follower-metrics.ts';
import { createSequencer } from './sequencer.ts';

/** The samples of a metric, as scrapers are sent them. */
async function samples(name: string): Promise<string[]> {
  const text = await registry.getSingleMetricAsString(name);
  return text.split('\n').filter((line) => line.startsWith(name));
}

const logOf = (id: number, head: number | null, knownHead: number): FollowedLog => ({
  id,
  knownHead,
  sequencer: head === null ? null : createSequencer({ seq: head, term: '', epoch: '' }, () => undefined),
});

test('logs are measured by their partition, as long as they are followed', async () => {
  const logs = [logOf(5, null, 9), logOf(1, 10, 14), logOf(3, 5, 2), logOf(4, 7, 7)];
  const streams = new Map([
    [0, { isUp: true }],
    [1, { isUp: false }],
  ]);
  const measuring = measureLogs(() => logs, streams, 2);
  expect(await samples('parley_log_head')).toEqual([
    'parley_log_head{partition="1"} 15',
    'parley_log_head{partition="0"} 7',
  ]);
  expect(await samples('parley_log_lag_entries')).toEqual([
    'parley_log_lag_entries{partition="1"} 4',
    'parley_log_lag_entries{partition="0"} 0',
  ]);
  expect(await samples('parley_log_stream_up')).toEqual([
    'parley_log_stream_up{partition="0"} 1',
    'parley_log_stream_up{partition="1"} 0',
  ]);
  measuring[Symbol.dispose]();
  for (const name of ['parley_log_head', 'parley_log_lag_entries', 'parley_log_stream_up']) {
    expect(await samples(name)).toEqual([]);
  }
});

test.each([
  ['parley_log_entries_total', ['{carrier="redis"} 0', '{carrier="postgres"} 0']],
  ['parley_log_sequencer_waits_total', [' 0']],
  ['parley_log_holes_filled_total', [' 0']],
])('%s is there from the start', async (name, values) => {
  expect((await samples(name)).map((line) => line.replace(/\d+$/, '0'))).toEqual(
    values.map((value) => `${name}${value}`),
  );
});
