import * as actions from '@parley/actions';
import { type PushService, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

interface TokenPath {
  path: string;
  service: PushService;
  /** Whose devices they are, in a sentence. */
  devices: string;
}

const apns: TokenPath = { path: '/users/me/apns_device_token', service: 'apns', devices: 'Apple' };
const fcm: TokenPath = { path: '/users/me/android_gcm_reg_id', service: 'fcm', devices: 'Android' };

const requires = ['human'] as const;
const token = form.text();

const removeRoute = ({ path, service, devices }: TokenPath) =>
  endpoint({
    method: 'DELETE',
    path,
    summary: `Stops notifications to an ${devices} device of the caller.`,
    since: null,
    errors: [],
    requires,
    params: { token },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.pushTokens.remove, { actor, ...params, service });
      return {};
    },
  });

export const pushTokenRoutes = [
  endpoint({
    method: 'POST',
    path: apns.path,
    summary: 'Registers an Apple device of the caller for notifications.',
    since: null,
    errors: [],
    requires,
    params: {
      token,
      appid: form.text().pipe(
        z
          .string()
          .max(limits.pushAppIdLength)
          .regex(/^[.a-zA-Z0-9-]+$/, 'is malformed.'),
      ),
    },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const input = { ...apns, token: params.token, appId: params.appid, nowMs: clock.nowMs() };
      await perform(actions.pushTokens.add, { actor, ...input });
      return {};
    },
  }),

  removeRoute(apns),

  endpoint({
    method: 'POST',
    path: fcm.path,
    summary: 'Registers an Android device of the caller for notifications.',
    since: null,
    errors: [],
    requires,
    params: { token },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const input = { ...fcm, token: params.token, appId: null, nowMs: clock.nowMs() };
      await perform(actions.pushTokens.add, { actor, ...input });
      return {};
    },
  }),

  removeRoute(fcm),
];
