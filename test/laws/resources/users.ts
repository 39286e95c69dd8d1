import { roles } from '@parley/protocol';

import { type Params } from '../../support/index.ts';
import { type Caller, accounts, administrators, members, nobody } from '../fixtures/callers.ts';
import { type Case, type Table, forAdministrators, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** A bot that belongs to Alice. */
const ofBots = (more: (of: { caller: Caller }) => Params = () => ({})): Case[] => [
  {
    of: 'of another',
    async params({ join, alice }, caller) {
      const bot = await join({
        name: `Robot for ${caller} ${Math.random()}`,
        botType: 1,
        botOwnerId: alice.id,
      });
      return { bot_id: bot.id, ...more({ caller }) };
    },
    may: administrators,
    code: 'BAD_REQUEST',
  },
];

/** Accounts and bots. */
export const access: Table = {
  'GET /users/me': own(),
  'GET /users': own(),
  'GET /users/:user': [
    { of: 'another', params: ({ alice }) => ({ user: alice.id }), may: accounts, code: 'BAD_REQUEST' },
    { of: 'by address', params: ({ alice }) => ({ user: alice.email }), may: accounts, code: 'BAD_REQUEST' },
  ],
  'POST /users': [
    {
      of: 'without being let',
      params: (_, caller) => ({
        email: `${caller}@made.example`,
        full_name: 'Made',
        password: 'a long password',
      }),
      may: [],
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: { owner: 'BAD_REQUEST', administrator: 'BAD_REQUEST', otherRealm: 'BAD_REQUEST' },
    },
  ],
  'PATCH /users/:user': [
    {
      of: 'another’s name',
      params: async ({ join }, caller) => ({
        user: (await join({ name: `Renamed by ${caller}` })).id,
        full_name: `Renamed as by ${caller}`,
      }),
      ...forAdministrators,
    },
    {
      of: 'another, to be an owner',
      params: async ({ join }, caller) => ({
        user: (await join({ name: `Raised by ${caller}` })).id,
        role: roles.owner,
      }),
      ...forAdministrators,
      may: ['owner'],
      codes: { administrator: 'UNAUTHORIZED_PRINCIPAL', otherRealm: 'BAD_REQUEST' },
    },
  ],
  'DELETE /users/:user_id': [
    {
      of: 'another',
      params: async ({ join }, caller) => ({ user_id: (await join({ name: `Ended by ${caller}` })).id }),
      ...forAdministrators,
    },
    {
      of: 'an owner',
      params: async ({ join }, caller) => ({
        user_id: (await join({ name: `Owner ended by ${caller}`, role: roles.owner })).id,
      }),
      ...forAdministrators,
      may: ['owner'],
      codes: { administrator: 'UNAUTHORIZED_PRINCIPAL', otherRealm: 'BAD_REQUEST' },
    },
  ],
  // Whoever may call it is no more.
  'DELETE /users/me': [{ of: 'of those who are not here', params: () => ({}), callers: nobody, may: [] }],
  'POST /users/:user_id/reactivate': [
    {
      of: 'another',
      async params({ join, owner }, caller) {
        const { id } = await join({ name: `Given back by ${caller}` });
        await owner.delete(`/users/${id}`);
        return { user_id: id };
      },
      ...forAdministrators,
    },
  ],
  'GET /bots': [
    { of: 'one’s own', params: () => ({}), may: [...members, 'otherRealm'], code: 'BAD_REQUEST' },
  ],
  'POST /bots': [
    {
      of: 'of one’s own',
      params: (_, caller) => ({
        full_name: `Robot of ${caller}`,
        short_name: `robot-${caller.toLowerCase()}`,
      }),
      may: [...members, 'otherRealm'],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /external/:integration': own(() => ({ integration: 'json', payload: {} })),
  'GET /external/:integration': own(() => ({ integration: 'json' })),
  'PATCH /bots/:bot_id': ofBots(({ caller }) => ({ full_name: `Renamed by ${caller}` })),
  'DELETE /bots/:bot_id': ofBots(),
  'POST /bots/:bot_id/api_key/regenerate': ofBots(),
};

export const requests: Requests = {
  'GET /users': () => ({}),
  'GET /users/me': () => ({}),
  'GET /users/:user': ({ bob }) => ({ user: String(bob.id) }),
  'POST /users': () => ({
    email: `n${Math.random()}@example.com`,
    password: 'correct horse',
    full_name: 'Newcomer',
  }),
  'PATCH /users/:user': ({ bob }) => ({ user: String(bob.id), full_name: 'Robert' }),
  'DELETE /users/me': () => ({}),
  'DELETE /users/:user_id': ({ carol }) => ({ user_id: String(carol.id) }),
  'POST /users/:user_id/reactivate': ({ carol }) => ({ user_id: String(carol.id) }),
  'POST /external/:integration': () => ({ integration: 'json' }),
  'GET /external/:integration': () => ({ integration: 'json' }),
  'GET /bots': () => ({}),
  'POST /bots': () => ({ full_name: `B ${Math.random()}`, short_name: `b${Math.random()}` }),
  'PATCH /bots/:bot_id': ({ botId }) => ({ bot_id: String(botId), service_interface: '1' }),
  'DELETE /bots/:bot_id': ({ botId }) => ({ bot_id: String(botId) }),
  'POST /bots/:bot_id/api_key/regenerate': ({ botId }) => ({ bot_id: String(botId) }),
};
