import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { DemoCluster } from '../support/demo-cluster.ts';
import type { Json } from '../support/http.ts';
import { readMetrics } from '../support/metrics.ts';
import { type TraceCollector, startTraceCollector } from '../support/trace-collector.ts';
import { startDemo } from './demo.ts';

let collector: TraceCollector;
let demos: DemoCluster;

beforeAll(async () => {
  collector = await startTraceCollector();
  demos = await startDemo({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
});

afterAll(async () => {
  await demos[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

async function ask(method: string, path: string, form: Record<string, string>, headers = {}): Promise<Json> {
  const { email, api_key } = demos.demo('Alice Member');
  const query = new URLSearchParams(form).toString();
  const isGet = method === 'GET';
  const response = await fetch(`${demos.cluster.baseUrl}/api/v1${path}${isGet ? `?${query}` : ''}`, {
    method,
    headers: {
      Authorization: `Basic ${btoa(`${email}:${api_key}`)}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    ...(!isGet && { body: query }),
  });
  return Object.assign((await response.json()) as Json, { headers: response.headers });
}

const message = { type: 'channel', to: 'general', topic: 't', content: 'seen' };

test('one trace goes from the message through log and stream to the poll that delivers it', async () => {
  const registered = await ask('POST', '/register', { event_types: '["message"]', fetch_event_types: '[]' });
  const pollAfter = (lastEventId: unknown) =>
    ask('GET', '/events', { queue_id: registered.queue_id, last_event_id: String(lastEventId) });
  // The first message of a topic opens it. A node that meets a queue reads the log itself: what it finds there
  // has come through no stream, so the queue is known before the message that is traced.
  await ask('POST', '/messages', message);
  const heard = (await pollAfter(registered.last_event_id)) as { events: { id: number }[] };
  const poll = pollAfter(heard.events.at(-1)?.id);
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await ask('POST', '/messages', message, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  const { headers } = await poll;

  const inTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  await vi.waitUntil(() => inTrace().some(({ name }) => name === 'GET /events'), { timeout: 60_000 });
  await vi.waitUntil(() => inTrace().some(({ name }) => name.startsWith('POST')), { timeout: 60_000 });
  const path: string[] = [];
  let span = inTrace().find(
    ({ name, attributes }) =>
      name === 'GET /events' && attributes['parley.request_id'] === headers.get('x-request-id'),
  );
  for (; span; span = inTrace().find(({ spanId }) => spanId === span?.parentSpanId)) {
    path.unshift(`${span.service} ${span.name}`);
  }
  expect(path).toEqual([
    'parley-api POST /api/v1/messages',
    'parley-api messages.send',
    'parley-api log append',
    'parley-api log publish',
    'parley-queue log receive',
    'parley-queue GET /events',
  ]);
});

test('what clients see of a traced message says nothing of its trace', async () => {
  const registered = await ask('POST', '/register', { event_types: '["message"]', fetch_event_types: '[]' });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await ask('POST', '/messages', message, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  const { events } = await ask('GET', '/events', {
    queue_id: registered.queue_id,
    last_event_id: String(registered.last_event_id),
  });
  expect(events).toHaveLength(1);
  expect(JSON.stringify(events)).not.toContain(traceId);
});

describe('each node', () => {
  test('serves metrics on a port of its own', async () => {
    const expected = {
      api: 'parley_http_request_seconds_count',
      queue: 'parley_queue_parked_polls',
      worker: 'parley_worker_jobs_waiting',
    };
    for (const { role, metricsUrl } of demos.cluster.nodes) {
      const measured = readMetrics(await (await fetch(metricsUrl)).text());
      expect(measured.of('process_resident_memory_bytes'), role).toBeGreaterThan(0);
      expect(measured.valuesOf(expected[role], 'le'), role).not.toEqual([]);
    }
  });

  test('says there, too, that it lives', async () => {
    for (const { role, metricsUrl } of demos.cluster.nodes) {
      const answer = await fetch(new URL('/health', metricsUrl));
      expect([answer.status, await answer.json()], role).toEqual([200, { result: 'success', msg: '' }]);
    }
  });

  test('hides them from clients', async () => {
    expect((await fetch(`${demos.cluster.baseUrl}/metrics`)).status).toBe(404);
  });
});
