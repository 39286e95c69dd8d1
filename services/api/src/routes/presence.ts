import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { LegacyPresence, SlimPresence, legacyPresence, presenceTimes } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const statusAndTime = z.strictObject({ status: z.enum(['active', 'idle', 'offline']), timestamp: z.int() });

export const presenceRoutes = [
  endpoint({
    method: 'POST',
    path: '/users/me/presence',
    summary: 'Records that the caller is active or idle, and answers with the presence of others.',
    since: null,
    errors: [],
    requires: ['human'],
    params: {
      status: form.oneOf(['active', 'idle']),
      new_user_input: form.bool().default(false),
      ping_only: form.bool().default(false),
      last_update_id: form.int(-1, Number.MAX_SAFE_INTEGER).optional(),
      history_limit_days: form.int(0, 10_000).optional(),
      slim_presence: form.bool().default(false),
    },
    returns: {
      presences: z
        .union([z.record(z.string(), SlimPresence), z.record(z.string(), LegacyPresence)])
        .optional(),
      server_timestamp: z.number().optional(),
      presence_last_update_id: z.int().optional(),
    },
    async handle({ actor, params, clock, writeWithoutLog, presences }) {
      const nowMs = clock.nowMs();
      const isActive = params.status === 'active';
      await writeWithoutLog(actions.presence.record, { actor, isActive, nowMs });
      if (params.ping_only) return {};
      const { last_update_id: since, history_limit_days: historyDays } = params;
      const isSlim = params.slim_presence || since !== undefined;
      return await presences.state(actor, isSlim, { since, historyDays, nowMs });
    },
  }),

  endpoint({
    method: 'GET',
    path: '/users/:user_id_or_email/presence',
    summary: "Answers with one user's presence.",
    since: null,
    errors: [],
    params: { user_id_or_email: form.line(400) },
    returns: { presence: z.strictObject({ aggregated: statusAndTime, website: statusAndTime }) },
    async handle({ actor, params, clock, snapshot }) {
      const times = await snapshot((tx) => model.presence.getPresence(tx, actor, params.user_id_or_email));
      const {
        website: { status, timestamp },
      } = legacyPresence(times);
      const isOffline = Math.floor(clock.nowMs() / 1000) - timestamp > presenceTimes.offlineThreshold;
      return {
        presence: {
          aggregated: { status: isOffline ? 'offline' : status, timestamp },
          website: { status, timestamp },
        },
      };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/realm/presence',
    summary: 'Answers with the presence of all users who were lately active.',
    since: null,
    errors: [],
    params: {},
    returns: { presences: z.record(z.string(), LegacyPresence), server_timestamp: z.number() },
    async handle({ actor, clock, presences }) {
      const nowMs = clock.nowMs();
      const state = await presences.state(actor, false, { nowMs });
      return { presences: state.presences, server_timestamp: state.server_timestamp };
    },
  }),
];
