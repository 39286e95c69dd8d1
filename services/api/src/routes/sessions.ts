import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const path = '/users/me/sessions';
const requires = ['human'] as const;

const Session = z.object({
  id: z.string(),
  user_agent: z.string(),
  created_timestamp: z.int(),
  expires_timestamp: z.int(),
  is_current: z.boolean(),
});

/** The browsers in which somebody is logged in. */
export const sessionRoutes = [
  endpoint({
    method: 'GET',
    path,
    summary: 'Lists the browsers in which the caller is logged in, the newest session first.',
    since: null,
    errors: [],
    requires,
    params: {},
    returns: { sessions: z.array(Session) },
    async handle({ actor, clock, sessionHash, snapshot }) {
      const now = new Date(clock.nowMs());
      const listed = await snapshot((tx) => model.sessions.list(tx, actor, now));
      const sessions = listed.map(({ id, userAgent, createdAt, expiresAt, tokenHash }) => ({
        id,
        user_agent: userAgent ?? '',
        created_timestamp: model.toSeconds(createdAt),
        expires_timestamp: model.toSeconds(expiresAt),
        is_current: tokenHash === sessionHash,
      }));
      return { sessions };
    },
  }),

  endpoint({
    method: 'DELETE',
    path,
    summary: 'Logs the caller out of all browsers but the one that asks.',
    since: null,
    errors: [],
    requires,
    params: {},
    returns: {},
    async handle({ actor, sessionHash, perform }) {
      await perform(actions.sessions.endOthers, { actor, kept: sessionHash });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: `${path}/:session_id`,
    summary: 'Logs the caller out of a browser.',
    since: null,
    errors: [],
    requires,
    params: { session_id: form.text() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.sessions.endById, { actor, id: params.session_id });
      return {};
    },
  }),
];
