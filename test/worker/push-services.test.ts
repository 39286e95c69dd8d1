import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type PushServices, startPushServices } from '../support/index.ts';

let services: PushServices;
beforeAll(async () => {
  services = await startPushServices();
});
afterAll(() => services[Symbol.asyncDispose]());

const apple = (token: string) => ({ service: 'apns', token, appId: 'org.example.app' }) as const;
const android = (token: string) => ({ service: 'fcm', token, appId: null }) as const;
const shown = {
  alert: { title: 'A', subtitle: 'B', body: 'C' },
  fields: { web: { id: 1 }, apns: { zulip: { user_id: 1 } }, fcm: { event: 'message', user_id: 1 } },
  validSeconds: 60,
};
const silent = { ...shown, alert: null };

describe('Apple’s service', () => {
  test('gets what is shown and what the app is told, signed, over one connection', async () => {
    expect(await services.client.send(apple('a0'), shown)).toEqual({ kind: 'sent' });
    expect(await services.client.send(apple('a0'), silent)).toEqual({ kind: 'sent' });
    const [first, second] = services.apns;
    expect(first?.body).toEqual({ aps: { alert: shown.alert, sound: 'default' }, zulip: { user_id: 1 } });
    expect(second?.body).toEqual({ aps: { 'content-available': 1 }, zulip: { user_id: 1 } });
    expect(first?.headers).toMatchObject({
      'apns-topic': 'org.example.app',
      'apns-push-type': 'alert',
      'apns-priority': '10',
    });
    expect(second?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
    const [, token = ''] = first?.headers['authorization']?.split(' ') ?? [];
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: 'KEY' });
    expect(decodeJwt(token)).toEqual({ iss: 'TEAM', iat: expect.any(Number) });
    expect(second?.headers['authorization']).toBe(first?.headers['authorization']);
  });

  test.each([
    [410, 'Unregistered', { kind: 'gone' }],
    [400, 'BadDeviceToken', { kind: 'gone' }],
    [400, 'DeviceTokenNotForTopic', { kind: 'gone' }],
    [413, 'PayloadTooLarge', { kind: 'refused', reason: '413 PayloadTooLarge' }],
    [403, 'InvalidProviderToken', { kind: 'refused', reason: '403 InvalidProviderToken' }],
    [403, 'ExpiredProviderToken', { kind: 'later', isReached: true, retryAfterMs: 0 }],
    [429, 'TooManyRequests', { kind: 'later', isReached: true, retryAfterMs: 7000 }],
    [500, 'InternalServerError', { kind: 'later', isReached: true }],
    [503, 'ServiceUnavailable', { kind: 'later', isReached: true }],
  ])('the answer %i %s of Apple’s service is understood', async (status, reason, outcome) => {
    const headers: Record<string, string> = status === 429 ? { 'retry-after': '7' } : {};
    services.answer('a1', { status, body: { reason }, headers });
    expect(await services.client.send(apple('a1'), shown)).toMatchObject(outcome);
  });

  test('is connected to again after it hung up', async () => {
    services.answer('a2', 'hang up');
    expect(await services.client.send(apple('a2'), shown)).toMatchObject({ kind: 'later', isReached: false });
    expect(await services.client.send(apple('a2'), shown)).toEqual({ kind: 'sent' });
    services.cut();
    await expect
      .poll(async () => (await services.client.send(apple('a2'), shown)).kind, { interval: 20 })
      .toBe('sent');
  });
});

describe('Google’s service', () => {
  test('gets every field as text, with access that is granted once', async () => {
    expect(await services.client.send(android('g0'), shown)).toEqual({ kind: 'sent' });
    expect(await services.client.send(android('g0'), silent)).toEqual({ kind: 'sent' });
    const [first, second] = services.fcm;
    expect(first?.headers).toMatchObject({
      ':path': '/v1/projects/a-project/messages:send',
      authorization: 'Bearer access 1',
    });
    expect(first?.body).toEqual({
      token: 'g0',
      data: { event: 'message', user_id: '1' },
      android: { priority: 'HIGH', ttl: '60s' },
    });
    expect(second?.body.android.priority).toBe('NORMAL');
    expect(services.grants).toHaveLength(1);
    expect(decodeJwt(services.grants[0].assertion)).toMatchObject({ iss: 'push@a-project.example' });
  });

  const error = (status: string, errorCode?: string, field?: string) => ({
    error: {
      status,
      details: [{ ...(errorCode && { errorCode }), ...(field && { fieldViolations: [{ field }] }) }],
    },
  });
  test.each([
    [404, error('NOT_FOUND', 'UNREGISTERED'), { kind: 'gone' }],
    [403, error('PERMISSION_DENIED', 'SENDER_ID_MISMATCH'), { kind: 'gone' }],
    [400, error('INVALID_ARGUMENT', undefined, 'message.token'), { kind: 'gone' }],
    [
      400,
      error('INVALID_ARGUMENT', undefined, 'message.data'),
      { kind: 'refused', reason: '400 INVALID_ARGUMENT' },
    ],
    [404, error('NOT_FOUND'), { kind: 'refused' }],
    [
      429,
      error('RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'),
      { kind: 'later', isReached: true, retryAfterMs: 7000 },
    ],
    [503, error('UNAVAILABLE', 'UNAVAILABLE'), { kind: 'later', isReached: true }],
    [500, 'no JSON object', { kind: 'later', isReached: true }],
  ])('the answer %i with %j of Google’s service is understood', async (status, body, outcome) => {
    services.answer('g1', { status, body: body as object, headers: { 'retry-after': '7' } });
    expect(await services.client.send(android('g1'), shown)).toMatchObject(outcome);
  });

  test('a revoked access to Google’s service is granted anew', async () => {
    const before = services.grants.length;
    services.answer('g2', { status: 401, body: error('UNAUTHENTICATED') });
    expect(await services.client.send(android('g2'), shown)).toMatchObject({ kind: 'later' });
    expect(await services.client.send(android('g2'), shown)).toEqual({ kind: 'sent' });
    expect(services.grants.length).toBe(before + 1);
  });

  test('a service that hangs up is not reached', async () => {
    services.answer('g3', 'hang up');
    expect(await services.client.send(android('g3'), shown)).toMatchObject({
      kind: 'later',
      isReached: false,
    });
  });
});
