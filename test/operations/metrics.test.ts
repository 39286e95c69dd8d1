import { createLogger, systemClock } from '@parley/kit';
import { createJobAdmin, measureJobs } from '@parley/redis';
import { startOperationsServer } from '@parley/telemetry';
import { measureDueWork } from '@parley/worker';
import { describe, expect, test, vi } from 'vitest';

import { addWebhookFailure, getWorld, realm, scrape, tell } from '../support/index.ts';

describe('requests', () => {
  test('are counted by the pattern of their route, not by what stands in it', async () => {
    const { alice } = await realm();
    const labels = { method: 'GET', route: '/api/v1/users/:user', status: '200' };
    const before = (await scrape()).of('parley_http_request_seconds_count', labels);
    await alice.get(`/users/${alice.id}`);
    const after = await scrape();
    expect(after.valuesOf('parley_http_request_seconds_count', 'route')).toContain(labels.route);
    expect(after.of('parley_http_request_seconds_count', labels)).toBe(before + 1);
    const routes = after.valuesOf('parley_http_request_seconds_count', 'route');
    expect(routes.flatMap((route) => route.split('/'))).not.toContain(String(alice.id));
  });

  test('requests to nowhere, by methods that nobody knows, add no labels', async () => {
    const { ports } = await getWorld();
    const ask = (path: string, method: string) => fetch(`http://127.0.0.1:${ports.api}${path}`, { method });
    await ask('/nowhere/a', 'GET');
    await ask('/nowhere/b', 'PROPFIND');
    const measured = await scrape();
    expect(measured.of('parley_http_request_seconds_count', { route: '/*', status: '404' })).toBeGreaterThan(
      1,
    );
    const methods = measured.valuesOf('parley_http_request_seconds_count', 'method');
    expect(methods).toContain('other');
    expect(methods).not.toContain('PROPFIND');
  });

  test('requests that are refused for their number are counted by the reason', async () => {
    const { alice } = await realm();
    const limits = { byUser: [{ seconds: 60, count: 1 }] };
    await using strict = await (await getWorld()).startApi({ limits });
    const before = (await scrape()).of('parley_refusals_total', { status: '429', reason: 'rate_limit' });
    await alice.ask('GET', '/users/me', {}, { port: strict.port });
    await alice.ask('GET', '/users/me', {}, { port: strict.port });
    const after = (await scrape()).of('parley_refusals_total', { status: '429', reason: 'rate_limit' });
    expect(after).toBeGreaterThan(before);
  });
});

describe('a poll', () => {
  test('is counted while it waits, and when it is answered', async () => {
    const { alice, bob } = await realm();
    const listener = await alice.listen();
    const before = await scrape();
    const parked = 'parley_queue_parked_polls';
    const waiting = listener.waits();
    await vi.waitUntil(async () => (await scrape()).of(parked) === before.of(parked) + 1, {
      timeout: 60_000,
    });
    await tell(bob, [alice]);
    const events = await waiting;
    const after = await scrape();
    expect(after.of(parked)).toBe(before.of(parked));
    const delivered = 'parley_queue_delivered_events_total';
    expect(after.of(delivered) - before.of(delivered)).toBe(events.length);
    expect(after.of('parley_queue_answers_total', { kind: 'events' })).toBeGreaterThan(
      before.of('parley_queue_answers_total', { kind: 'events' }),
    );
  });
});

test('the log is measured from the append to the ring', async () => {
  const { alice, bob } = await realm();
  const listener = await alice.listen();
  await listener.hears();
  const before = await scrape();
  const waiting = listener.waits();
  await tell(bob, [alice]);
  await waiting;
  const after = await scrape();
  for (const name of [
    'parley_log_append_messages_sum',
    'parley_log_append_seconds_count',
    'parley_log_published_total',
    'parley_log_entries_total',
    'parley_log_head',
    'parley_queue_ring_entries',
    'parley_queue_ring_bytes',
  ])
    expect(after.of(name), name).toBeGreaterThan(before.of(name));
  expect(after.of('parley_log_lag_entries')).toBeGreaterThanOrEqual(0);
  expect(after.of('parley_log_stream_up')).toBe(after.valuesOf('parley_log_stream_up', 'partition').length);
  expect(after.of('parley_database_up')).toBeGreaterThan(0);
  expect(after.of('parley_redis_connections', { state: 'ready' })).toBeGreaterThan(0);
});

test('jobs that wait are counted by their queue', async () => {
  const { redis } = await getWorld();
  await using admin = createJobAdmin(redis);
  const measuring = measureJobs(admin);
  const measured = await scrape();
  measuring[Symbol.dispose]();
  expect(measured.valuesOf('parley_worker_jobs_waiting', 'queue')).toContain('send-mail');
  expect(measured.valuesOf('parley_worker_jobs', 'state').sort()).toEqual(['active', 'delayed', 'failed']);
});

test('work that is due is counted by its kind, and what services of bots never took', async () => {
  const { engine } = await getWorld();
  const { alice, bob, bot } = await realm();
  const messageId = await tell(bob, [alice]);
  const measuring = measureDueWork(engine.db, systemClock);
  const before = await scrape();
  await addWebhookFailure(bot.id, messageId);
  const after = await scrape();
  measuring[Symbol.dispose]();
  expect(after.valuesOf('parley_due_work', 'kind')).toContain('scheduled_messages');
  expect(after.valuesOf('parley_due_work', 'state').sort()).toEqual(['due', 'late']);
  expect(after.of('parley_webhook_dead_letters')).toBe(before.of('parley_webhook_dead_letters') + 1);
});

describe('the operations server', () => {
  const logger = createLogger({ role: 'test', level: 'silent' });

  test('is not there without a port', async () => {
    expect(
      await startOperationsServer({ role: 'test', port: undefined, host: '127.0.0.1', logger }),
    ).toBeNull();
  });

  test('is a server of its own: no client finds metrics', async () => {
    const { ports } = await getWorld();
    for (const port of Object.values(ports)) {
      expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
    }
  });

  test('answers scrapes that come together, each with all', async () => {
    const startedMs = systemClock.nowMs();
    const [first, second] = await Promise.all([scrape(), scrape()]);
    expect(first.of('process_start_time_seconds') * 1000).toBeLessThan(startedMs);
    expect(second.of('parley_database_up')).toBe(first.of('parley_database_up'));
    expect(first.valuesOf('nodejs_eventloop_lag_p99_seconds', 'le')).toHaveLength(1);
    expect(first.of('process_open_fds')).toBeGreaterThan(3);
    expect(first.of('process_max_fds')).toBeGreaterThan(first.of('process_open_fds'));
  });
});
