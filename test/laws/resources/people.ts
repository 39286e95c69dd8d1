import { accounts, administrators } from '../fixtures/callers.ts';
import { type Table, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** What people say of themselves, and how they want it. */
export const access: Table = {
  'GET /users/me/alert_words': own(),
  'POST /users/me/alert_words': own(() => ({ alert_words: ['word'] })),
  'DELETE /users/me/alert_words': own(() => ({ alert_words: ['word'] })),
  'POST /users/me/muted_users/:muted_user_id': [
    {
      of: 'another',
      params: async ({ join }, caller) => ({
        muted_user_id: (await join({ name: `Muted by ${caller}` })).id,
      }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
  ],
  'DELETE /users/me/muted_users/:muted_user_id': [
    {
      of: 'nobody has muted',
      params: ({ alice }) => ({ muted_user_id: alice.id }),
      may: [],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /users/me/presence': own(() => ({ status: 'active' })),
  'GET /realm/presence': own(),
  'GET /users/:user_id_or_email/presence': [
    {
      of: 'another',
      params: ({ alice }) => ({ user_id_or_email: alice.id }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
  ],
  'POST /users/me/status': own(() => ({ status_text: 'here' })),
  'POST /users/:user_id/status': [
    {
      of: 'another',
      params: ({ alice }) => ({ user_id: alice.id, status_text: 'there' }),
      may: administrators,
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: { otherRealm: 'BAD_REQUEST' },
    },
  ],
  'GET /users/:user_id/status': [
    {
      of: 'another',
      params: ({ alice }) => ({ user_id: alice.id }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
  ],
  'PATCH /settings': own(() => ({ enter_sends: true })),
  'PATCH /settings/display': own(() => ({ enter_sends: true })),
  'PATCH /settings/notifications': own(() => ({ enable_sounds: false })),
};

export const requests: Requests = {
  'GET /users/me/alert_words': () => ({}),
  'POST /users/me/alert_words': () => ({ alert_words: '["tea"]' }),
  'DELETE /users/me/alert_words': () => ({ alert_words: '["tea"]' }),
  'POST /users/me/muted_users/:muted_user_id': ({ carol }) => ({ muted_user_id: String(carol.id) }),
  'DELETE /users/me/muted_users/:muted_user_id': ({ bob }) => ({ muted_user_id: String(bob.id) }),
  'PATCH /settings': () => ({ twenty_four_hour_time: 'true' }),
  'PATCH /settings/display': () => ({ twenty_four_hour_time: 'true' }),
  'PATCH /settings/notifications': () => ({ enable_sounds: 'false' }),
  'POST /users/me/presence': () => ({ status: 'active' }),
  'GET /users/:user_id_or_email/presence': ({ alice }) => ({ user_id_or_email: alice.email }),
  'GET /realm/presence': () => ({}),
  'POST /users/me/status': () => ({ status_text: 'walking' }),
  'POST /users/:user_id/status': ({ bob }) => ({ user_id: String(bob.id), status_text: 'walking' }),
  'GET /users/:user_id/status': ({ bob }) => ({ user_id: String(bob.id) }),
};
