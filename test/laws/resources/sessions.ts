import { tokenFor } from '../../support/index.ts';
import { callers, nobody } from '../fixtures/callers.ts';
import { type Table, own } from '../fixtures/cases.ts';
import { type Requests, startSession } from '../fixtures/endpoints.ts';

/** How one comes in, and what one hears then. */
export const access: Table = {
  'GET /server_settings': [{ of: 'for all the world', params: () => ({}), may: [...callers] }],
  'POST /fetch_api_key': [
    {
      of: 'of another',
      async params({ join }, caller) {
        // Few guesses are free for each.
        const { email } = await join({ name: `Guessed ${caller}`, password: 'not what is guessed' });
        return { username: email, password: 'a guess' };
      },
      may: [],
      code: 'AUTHENTICATION_FAILED',
    },
  ],
  'POST /dev_fetch_api_key': [
    {
      of: 'by address, in development',
      params: ({ alice }) => ({ username: alice.email }),
      may: callers.filter((caller) => caller !== 'otherRealm'),
      code: 'AUTHENTICATION_FAILED',
    },
  ],
  'GET /dev_list_users': [{ of: 'in development', params: () => ({}), may: [...callers] }],
  'POST /jwt/fetch_api_key': [
    {
      of: 'of another',
      params: () => ({ token: 'a.b.c' }),
      may: [],
      code: 'AUTHENTICATION_FAILED',
    },
  ],
  'POST /register': own(),
  'GET /events': [
    ...own(() => ({ dont_block: true })),
    {
      of: 'of another’s queue',
      params: ({ queueId }) => ({ queue_id: queueId, last_event_id: -1, dont_block: true }),
      may: [],
      code: 'BAD_EVENT_QUEUE_ID',
      codes: { intruder: 'BAD_EVENT_QUEUE_ID', deactivated: 'BAD_EVENT_QUEUE_ID' },
    },
  ],
  'GET /users/me/sessions': own(),
  'DELETE /users/me/sessions': own(),
  'DELETE /users/me/sessions/:session_id': [
    {
      of: 'another’s',
      params: async ({ alice }) => ({ session_id: (await startSession(alice)).sessionId }),
      may: [],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /users/me/api_key/regenerate': [
    // Whoever may call it loses the key that the next case would ask with.
    {
      of: 'of those who are not here',
      params: () => ({}),
      callers: nobody,
      may: [],
    },
  ],
};

export const requests: Requests = {
  'GET /server_settings': () => ({}),
  'POST /fetch_api_key': ({ alice }) => ({ username: alice.email, password: 'correct horse' }),
  'POST /dev_fetch_api_key': ({ alice }) => ({ username: alice.email }),
  'GET /dev_list_users': () => ({}),
  'POST /jwt/fetch_api_key': ({ realm, alice }) => ({ token: tokenFor(realm, alice.email) }),
  'POST /register': () => ({}),
  'GET /events': () => ({ dont_block: 'true' }),
  'GET /users/me/sessions': () => ({}),
  'DELETE /users/me/sessions': () => ({}),
  'DELETE /users/me/sessions/:session_id': ({ sessionId }) => ({ session_id: sessionId }),
  'POST /users/me/api_key/regenerate': () => ({}),
};
