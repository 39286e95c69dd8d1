import { createPushBrowser } from '../../support/index.ts';
import { type Case, type Table, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

const apnsToken = 'abcdef0123456789';
const fcmToken = 'fcm:Token_1';
const registration = {
  token_kind: 'fcm',
  push_account_id: '1',
  push_key: 'x',
  bouncer_public_key: 'x',
  encrypted_push_registration: 'x',
};

const ofNobody = (params: Case['params'], code: string): Case[] => [
  { of: 'that nobody has', params, may: [], code },
];

/** The devices on which people are notified. */
export const access: Table = {
  'POST /users/me/apns_device_token': own((_, caller) => ({
    token: `${apnsToken}${caller.length}`,
    appid: 'org.example.app',
  })),
  'DELETE /users/me/apns_device_token': [
    {
      of: 'another’s',
      params: async ({ alice }) => {
        await alice.post('/users/me/apns_device_token', { token: 'a11ce0', appid: 'org.example.app' });
        return { token: 'a11ce0' };
      },
      may: [],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /users/me/android_gcm_reg_id': own((_, caller) => ({ token: `token-of-${caller}` })),
  'DELETE /users/me/android_gcm_reg_id': [
    {
      of: 'another’s',
      params: async ({ alice }) => {
        await alice.post('/users/me/android_gcm_reg_id', { token: 'of-alice' });
        return { token: 'of-alice' };
      },
      may: [],
      code: 'BAD_REQUEST',
    },
  ],
  'GET /users/me/web_push_subscriptions': own(),
  'POST /users/me/web_push_subscriptions': own(() => createPushBrowser().subscription),
  'DELETE /users/me/web_push_subscriptions/:subscription_id': [
    {
      of: 'another’s',
      params: async ({ alice }) => {
        const { id } = await alice.post('/users/me/web_push_subscriptions', createPushBrowser().subscription);
        return { subscription_id: String(id) };
      },
      may: [],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /mobile_push/test_notification': ofNobody(() => ({ token: 'nobody’s' }), 'INVALID_PUSH_DEVICE_TOKEN'),
  'POST /mobile_push/register': ofNobody(() => registration, 'PUSH_SERVICE_NOT_CONFIGURED'),
  'POST /mobile_push/e2ee/test_notification': ofNobody(() => ({}), 'NO_ACTIVE_PUSH_DEVICE'),
};

export const requests: Requests = {
  'POST /users/me/apns_device_token': () => ({ token: '0123', appid: 'org.example.app' }),
  'DELETE /users/me/apns_device_token': () => ({ token: apnsToken }),
  'POST /users/me/android_gcm_reg_id': () => ({ token: 'another' }),
  'DELETE /users/me/android_gcm_reg_id': () => ({ token: fcmToken }),
  'GET /users/me/web_push_subscriptions': () => ({}),
  'POST /users/me/web_push_subscriptions': () => createPushBrowser().subscription,
  'DELETE /users/me/web_push_subscriptions/:subscription_id': ({ subscriptionId }) => ({
    subscription_id: String(subscriptionId),
  }),
  'POST /mobile_push/test_notification': () => ({}),
  'POST /mobile_push/register': () => registration,
  'POST /mobile_push/e2ee/test_notification': () => ({}),
};
