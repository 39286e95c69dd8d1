import { expect, test } from 'vitest';

import { queueOf } from '../core/fixtures.test-support.ts';
import { heapBytes } from '../heap.test-support.ts';
import { createLiveQueue } from '../queues/live-queue.ts';
import { readEventsQuery } from './events-parameters.ts';
import { TestExchange } from './exchange.test-support.ts';
import { readHead } from './read-head.ts';

test('a request that waits keeps nothing of what was received', () => {
  const live = createLiveQueue(queueOf({ id: 'a-queue-of-a-usual-length', userId: 10 }), 0);
  const secret = 'Basic of-the-owner-of-the-queue';
  const bytes = Buffer.from(
    [
      `GET /api/v1/events?queue_id=${live.queue.id}&last_event_id=7 HTTP/1.1`,
      'Host: chat.example.com',
      `Authorization: ${secret}`,
      'X-Request-Id: an-id-that-is-not-short',
      'X-Forwarded-For: 203.0.113.123, 203.0.113.124',
      `Cookie: __Host-session=${'c'.repeat(10_000)}`,
      '\r\n',
    ].join('\r\n'),
  );
  function receive(): TestExchange {
    const exchange = new TestExchange();
    if (readHead(bytes.toString('latin1'), exchange.head) === null)
      throw new Error('The head is not a plain one.');
    exchange.request.queueId = readEventsQuery(exchange.head.url.split('?')[1] ?? '').queueId ?? '';
    return exchange;
  }
  live.verifiedHeader = secret;
  const before = heapBytes();
  const waiting = Array.from({ length: 1000 }, () => {
    const exchange = receive();
    exchange.park(live);
    return exchange;
  });
  expect(heapBytes() - before).toBeLessThan(waiting.length * 2000);
  expect(waiting[0]).toMatchObject({
    request: { queueId: live.queue.id },
    head: {
      authorization: secret,
      sentRequestId: 'an-id-that-is-not-short',
      url: '/api/v1/events',
    },
  });
});

test('a request keeps the header that it may have to show again while its queue has none', () => {
  const live = createLiveQueue(queueOf({ id: 'a-queue', userId: 10 }), 0);
  const exchange = new TestExchange();
  exchange.head.authorization = 'Basic of-the-owner-of-the-queue';
  exchange.park(live);
  expect(exchange.head.authorization).toBe('Basic of-the-owner-of-the-queue');
  const bySession = new TestExchange();
  bySession.park({ ...live, verifiedHeader: 'Basic of-another-request' });
  expect(bySession.head.authorization).toBeUndefined();
});
