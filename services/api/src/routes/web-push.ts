import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { bigId, endpoint, form } from '../endpoint/endpoint.ts';

const path = '/users/me/web_push_subscriptions';
const requires = ['human'] as const;

const WebPushSubscription = z.object({
  id: bigId,
  name: z.string(),
  registered_timestamp: z.int(),
});

const toMs = (timestamp: number | undefined) => (timestamp === undefined ? null : timestamp * 1000);

/** The browsers on which people are notified while no page of theirs is open (web push). */
export const webPushRoutes = [
  endpoint({
    method: 'GET',
    path,
    summary:
      'Lists the browsers of the caller that are registered for notifications, and the public key to subscribe with.',
    since: null,
    errors: [],
    requires,
    params: {},
    returns: { public_key: z.string().nullable(), subscriptions: z.array(WebPushSubscription) },
    async handle({ actor, realm, clock, snapshot, vapidKeyOf }) {
      model.permissions.assertHuman(actor);
      const publicKey = await vapidKeyOf(realm.id);
      const now = new Date(clock.nowMs());
      const browsers = await snapshot((tx) => model.pushTokens.listBrowsers(tx, actor, now));
      const subscriptions = browsers.map(({ id, name, registeredAt }) => ({
        id,
        name: name ?? '',
        registered_timestamp: model.toSeconds(registeredAt),
      }));
      return { public_key: publicKey, subscriptions };
    },
  }),

  endpoint({
    method: 'POST',
    path,
    summary: 'Registers the browser of the caller for notifications, until its session ends.',
    since: null,
    errors: [],
    requires,
    params: {
      endpoint: form.text(),
      p256dh: form.text(),
      auth: form.text(),
      name: form.line(limits.webPushNameLength).default(''),
      paused_until_timestamp: form.int(0, limits.timestampMax).optional(),
      expiration_timestamp: form.int(0, limits.timestampMax).optional(),
    },
    returns: { id: bigId },
    async handle({ actor, params, sessionHash, clock, perform }) {
      const { endpoint: address, p256dh, auth, name } = params;
      const { id } = await perform(actions.pushTokens.subscribe, {
        actor,
        endpoint: address,
        p256dh,
        auth,
        name,
        expiresAtMs: toMs(params.expiration_timestamp),
        pausedUntilMs: toMs(params.paused_until_timestamp),
        sessionHash,
        nowMs: clock.nowMs(),
      });
      return { id };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: `${path}/:subscription_id`,
    summary: 'Ends the notifications in a browser of the caller.',
    since: null,
    errors: [],
    requires,
    params: { subscription_id: form.bigId() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.pushTokens.unsubscribe, { actor, id: params.subscription_id });
      return {};
    },
  }),
];
