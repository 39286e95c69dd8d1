import { assertHuman } from '@parley/model';
import { ApiError, pushServices } from '@parley/protocol';

import { endpoint, form, id } from '../endpoint.ts';

const requires = ['human'] as const;

export const mobilePushRoutes = [
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
      assertHuman(actor);
      throw new ApiError(
        'PUSH_SERVICE_NOT_CONFIGURED',
        'This server has no service for end-to-end encrypted notifications.',
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
      assertHuman(actor);
      throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No device is registered for encrypted notifications.');
    },
  }),
];
