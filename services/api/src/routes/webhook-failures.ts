import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { WebhookFailure, webhookLimits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const failureId = form.int(0, Number.MAX_SAFE_INTEGER);

export const webhookFailureRoutes = [
  endpoint({
    method: 'GET',
    path: '/realm/webhook_failures',
    summary: 'Lists messages that could not be passed on to the services of outgoing-webhook bots.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: {
      before: failureId.optional(),
      num: form.int(1, webhookLimits.failuresPerFetch).default(100),
    },
    returns: { failures: z.array(WebhookFailure), found_oldest: z.boolean() },
    async handle({ actor, params, snapshot }) {
      const { before, num } = params;
      const rows = await snapshot((tx) =>
        model.webhookDeliveries.listWebhookFailures(tx, actor, { before, limit: num + 1 }),
      );
      return { failures: rows.slice(0, num), found_oldest: rows.length <= num };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/realm/webhook_failures/:failure_id/replay',
    summary: 'Has a message that could not be passed on to the service of a bot tried again.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { failure_id: failureId },
    returns: {},
    async handle({ actor, params, perform, clock }) {
      await perform(actions.webhookDeliveries.replay, { actor, id: params.failure_id, nowMs: clock.nowMs() });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/webhook_failures/:failure_id',
    summary: 'Forgets a message that could not be passed on to the service of a bot.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { failure_id: failureId },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.webhookDeliveries.drop, { actor, id: params.failure_id });
      return {};
    },
  }),
];
