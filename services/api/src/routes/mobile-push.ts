import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, limits, pushServices } from '@parley/protocol';

import { endpoint, form, id } from '../endpoint/endpoint.ts';
import { assertSent, testNotification } from './push-tests.ts';

const requires = ['human'] as const;

/** Whether a device has a token. Those of Apple's are the same in capitals. */
const isToken = (device: { service: string; token: string }, token: string) =>
  device.token === (device.service === 'apns' ? token.toLowerCase() : token);

export const mobilePushRoutes = [
  endpoint({
    method: 'POST',
    path: '/mobile_push/test_notification',
    summary: 'Sends a notification to the device of the caller that has a token, or to all of them.',
    since: 217,
    errors: [
      'ADMIN_ACTION_REQUIRED',
      'FAILED_TO_CONNECT_BOUNCER',
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
      'INVALID_PUSH_DEVICE_TOKEN',
      'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    ],
    requires,
    params: { token: form.line(limits.pushTokenLength).optional() },
    returns: {},
    async handle({ actor, realm, params: { token }, clock, push, snapshot, writeWithoutLog }) {
      model.permissions.assertHuman(actor);
      const { devices, displayName } = await snapshot(async (tx) => ({
        devices: await model.pushTokens.listPhones(tx, actor),
        displayName: (await model.realms.getRealm(tx, realm.id)).displayName,
      }));
      const tested = devices.filter((one) => token === undefined || isToken(one, token));
      if (tested.length === 0) {
        throw new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'No device of yours has this token.');
      }
      if (tested.some(({ service }) => !push.services.has(service))) {
        const msg = 'This server is not set up for push notifications. Ask its operators.';
        throw new ApiError('ADMIN_ACTION_REQUIRED', msg);
      }
      const nowMs = clock.nowMs();
      const notification = testNotification({ realm, realmName: displayName, userId: actor.id }, nowMs);
      const outcomes = await Promise.all(
        tested.map(async (device) => {
          const outcome = await push.send(device, notification);
          if (outcome.kind === 'gone') {
            const gone = { realmId: realm.id, id: device.id, knownAt: new Date(nowMs) };
            await writeWithoutLog(actions.pushTokens.removeGone, gone);
          }
          return outcome;
        }),
      );
      for (const outcome of outcomes) assertSent(outcome);
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/mobile_push/register',
    summary: 'Refuses to register a device for end-to-end encrypted notifications, which the server has not.',
    since: 406,
    errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
    requires,
    params: {
      token_kind: form.oneOf(pushServices),
      push_account_id: form.json(id),
      push_key: form.text(),
      bouncer_public_key: form.text(),
      encrypted_push_registration: form.text(),
    },
    aliases: { push_public_key: 'push_key' },
    returns: {},
    handle({ actor }) {
      model.permissions.assertHuman(actor);
      throw new ApiError(
        'PUSH_SERVICE_NOT_CONFIGURED',
        'This server does not support end-to-end encrypted notifications.',
      );
    },
  }),

  endpoint({
    method: 'POST',
    path: '/mobile_push/e2ee/test_notification',
    summary: "Refuses to test the caller's devices with end-to-end encrypted notifications: there are none.",
    since: 420,
    errors: ['NO_ACTIVE_PUSH_DEVICE'],
    requires,
    params: { push_account_id: form.json(id).optional() },
    returns: {},
    handle({ actor }) {
      model.permissions.assertHuman(actor);
      throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'You have no device for encrypted notifications.');
    },
  }),
];
