import { currentTracing } from '@parley/telemetry';
import { expect, test } from 'vitest';

import { open, until } from '../../support/follower.ts';
import { sendTraces, startTraceCollector } from '../../support/trace-collector.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanOf = (seq: number) => `00f067aa0ba9020${seq}`;
const traceOf = (seq: number) => `00-${traceId}-${spanOf(seq)}-01`;

test('the trace of an entry goes on where it is received', async () => {
  const { log, heard } = await open();
  await using collector = await startTraceCollector();
  {
    await using _ = await sendTraces(collector);
    await log.carryTraced(2, traceOf(2), '-', traceOf(4));
    await until(() => heard.length >= 4);
    for (const seq of [2, 3, 4]) currentTracing()?.delivered({ realmId: log.id, seq }, { 'parley.seq': seq });
  }
  const received = collector.spans.filter(({ name }) => name === 'log receive');
  expect(received.map((span) => [span.traceId, span.parentSpanId, span.attributes['parley.seq']])).toEqual(
    [2, 4].map((seq) => [traceId, spanOf(seq), seq]),
  );
  const delivered = collector.spans.filter(({ name }) => name === 'GET /events');
  expect(delivered.map((span) => [span.parentSpanId, span.attributes['parley.seq']])).toEqual(
    received.map((span) => [span.spanId, span.attributes['parley.seq']]),
  );
});

test('where no traces are made those that are carried hold nothing up', async () => {
  const { log, heard } = await open();
  await log.carryTraced(2, traceOf(2));
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '2 traced']);
});
