import { ApiError, notReady } from '@parley/protocol';
import { registry } from '@parley/telemetry';
import { expect, test } from 'vitest';

import { errorReply } from './error-reply.ts';

const away = new Error('connect ECONNREFUSED');
const isStoreAway = (error: unknown) => error === away;

test('a refusal is answered with its own status, headers and body', () => {
  const refusal = new ApiError(
    'BAD_EVENT_QUEUE_ID',
    "There is no event queue with the id 'q'. Register a new one.",
    { queue_id: 'q' },
  );
  refusal.headers['X-Test'] = '1';
  expect(errorReply(refusal, isStoreAway)).toEqual({
    status: 400,
    headers: { 'X-Test': '1' },
    body: {
      result: 'error',
      code: 'BAD_EVENT_QUEUE_ID',
      msg: "There is no event queue with the id 'q'. Register a new one.",
      queue_id: 'q',
    },
    isBug: false,
  });
});

test('a store that is away is SERVER_NOT_READY, with the time to come back', () => {
  expect(errorReply(away, isStoreAway)).toEqual({
    status: 503,
    headers: { 'Retry-After': '1' },
    body: notReady().body(),
    isBug: false,
  });
});

test('a bug says nothing of itself', () => {
  for (const bug of [new Error('select secret from users'), 'text', undefined]) {
    expect(errorReply(bug, isStoreAway)).toEqual({
      status: 500,
      headers: {},
      body: {
        result: 'error',
        msg: 'Something went wrong on the server. Please try again.',
        code: 'INTERNAL_SERVER_ERROR',
      },
      isBug: true,
    });
  }
});

test('operators see how many are refused, and what for', async () => {
  const count = async (labels: string) => {
    const line = `parley_refusals_total{${labels}} `;
    const text = await registry.getSingleMetricAsString('parley_refusals_total');
    return Number(
      text
        .split('\n')
        .find((row) => row.startsWith(line))
        ?.slice(line.length) ?? 0,
    );
  };
  const refusals: [labels: string, error: unknown][] = [
    ['status="429",reason="rate_limit"', new ApiError('RATE_LIMIT_HIT', 'Slow down.', { 'retry-after': 1 })],
    ['status="503",reason="database"', away],
    ['status="503",reason="appends"', notReady('appends')],
    ['status="503",reason="other"', new ApiError('SERVER_NOT_READY', 'Later.')],
  ];
  for (const [labels, error] of refusals) {
    const before = await count(labels);
    errorReply(error, isStoreAway);
    expect((await count(labels)) - before, labels).toBe(1);
  }
  errorReply(new ApiError('BAD_REQUEST', 'No.'), isStoreAway);
  errorReply(new Error('a bug'), isStoreAway);
  const text = await registry.getSingleMetricAsString('parley_refusals_total');
  expect(text).not.toMatch(/status="(?!429|503)/);
  expect(text).toMatch(/^# HELP parley_refusals_total \w/);
});
