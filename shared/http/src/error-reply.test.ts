import { ApiError, notReady } from '@parley/protocol';
import { expect, test } from 'vitest';

import { errorReply } from './error-reply.ts';

const away = new Error('connect ECONNREFUSED');
const isStoreAway = (error: unknown) => error === away;

test('a refusal is answered with its own status, headers and body', () => {
  const refusal = new ApiError('BAD_EVENT_QUEUE_ID', 'Bad event queue ID: q', { queue_id: 'q' });
  refusal.headers['X-Test'] = '1';
  expect(errorReply(refusal, isStoreAway)).toEqual({
    status: 400,
    headers: { 'X-Test': '1' },
    body: { result: 'error', code: 'BAD_EVENT_QUEUE_ID', msg: 'Bad event queue ID: q', queue_id: 'q' },
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
      body: { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' },
      isBug: true,
    });
  }
});
