import { endpoints, nameOf } from '@parley/api';

import { confirmationPath } from '../../support/index.ts';
import { callers } from '../fixtures/callers.ts';
import type { Case, Table } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** What the server has of its own, and says of itself: the same for anybody. */
const ofServer = endpoints
  .filter(
    (endpoint) =>
      endpoint.kind === 'probe' ||
      (endpoint.kind === 'bytes' && endpoint.of === 'server' && !endpoint.path.includes(':')),
  )
  .map(nameOf);

/** What is the same for all, whoever they are. */
const forAll = (of: string, params: Case['params'] = () => ({})): Case[] => [
  { of, params, may: [...callers] },
];

/** What is refused in the same way to all. */
const forNobody = (of: string, code: string, params: Case['params'] = () => ({})): Case[] => [
  { of, params, may: [], code },
];

/** What one organization has handed out is nothing in another. */
const here = callers.filter((caller) => caller !== 'otherRealm');

/** The link in a mail to a new address. */
const confirmation = (to: string): Case[] => [
  {
    of: 'with the link in a mail',
    async params({ join }, caller) {
      const person = await join({ name: `Person ${to} ${caller}` });
      await person.patch('/settings', { email: `${to}-${caller}@new.example` });
      return { key: (await confirmationPath(person)).split('/').at(-1) };
    },
    may: here,
    code: 'NOT_FOUND',
  },
];

/** Pages, and what a browser asks with its session alone. */
export const access: Table = {
  ...Object.fromEntries(ofServer.map((name) => [name, forAll('for all the world')])),
  'GET /': forNobody('by a program', 'NOT_FOUND'),
  'GET /manifest.webmanifest': forAll('for all the world'),
  'GET /static/web/:file': forNobody('that is not there', 'NOT_FOUND', () => ({ file: 'nothing.js' })),
  'GET /login': forAll('for all the world'),
  'POST /login': [
    {
      of: 'of another',
      async params({ join }, caller) {
        // Few guesses are free for each.
        const { email } = await join({ name: `Entered ${caller}`, password: 'not what is guessed' });
        return { username: email, password: 'a guess' };
      },
      may: [],
      code: 'AUTHENTICATION_FAILED',
    },
  ],
  'POST /logout': forNobody('without a session', 'UNAUTHENTICATED_USER'),
  'POST /json/fetch_api_key': [
    {
      of: 'without a session',
      params: () => ({ password: 'a guess' }),
      may: [],
      codes: Object.fromEntries(callers.map((caller) => [caller, 'UNAUTHENTICATED_USER'])),
    },
  ],
  'GET /accounts/login/oidc': forNobody('without a provider', 'BAD_REQUEST'),
  'GET /accounts/login/oidc/callback': forNobody('without a provider', 'BAD_REQUEST'),
  'GET /join/:key': [
    {
      of: 'with a link',
      params: async ({ owner }) => ({ key: await newLink(owner) }),
      may: here,
      code: 'NOT_FOUND',
    },
  ],
  'POST /join/:key': [
    {
      of: 'with a link',
      params: async ({ owner }, caller) => ({ key: await newLink(owner), email: `${caller}@new.example` }),
      may: here,
      code: 'NOT_FOUND',
    },
  ],
  'GET /unsubscribe/:key': forNobody('with a key of nobody’s', 'NOT_FOUND', () => ({ key: '1.a' })),
  'POST /unsubscribe/:key': forNobody('with a key of nobody’s', 'NOT_FOUND', () => ({ key: '1.a' })),
  'GET /accounts/confirm_new_email/:key': confirmation('seen'),
  'POST /accounts/confirm_new_email/:key': confirmation('moved'),
  'GET /accounts/password/reset': forAll('for all the world'),
  'GET /integrations': forAll('for all the world'),
  'GET /integrations/:name': forAll('for all the world', () => ({ name: 'github' })),
  'POST /accounts/password/reset': forAll('of nobody', () => ({ email: 'nobody@new.example' })),
  'GET /accounts/password/reset/:key': forNobody('with a key of nobody’s', 'NOT_FOUND', () => ({
    key: '1.a',
  })),
  'POST /accounts/password/reset/:key': forNobody('with a key of nobody’s', 'NOT_FOUND', () => ({
    key: '1.a',
    password: 'x',
  })),
};

async function newLink(owner: { post(path: string): Promise<{ invite_link: string }> }): Promise<string> {
  const { invite_link: link } = await owner.post('/invites/multiuse');
  return /\/join\/([^/]+)/.exec(link)?.[1] ?? '';
}

export const requests: Requests = {
  ...Object.fromEntries(ofServer.map((name) => [name, () => ({})])),
  'GET /': () => ({}),
  'GET /manifest.webmanifest': () => ({}),
  'GET /static/web/:file': () => ({ file: 'nothing.js' }),
  'GET /login': () => ({}),
  'POST /login': ({ alice }) => ({ username: alice.email, password: 'correct horse' }),
  'POST /logout': () => ({}),
  'POST /json/fetch_api_key': () => ({ password: 'correct horse' }),
  'GET /accounts/login/oidc': () => ({}),
  'GET /accounts/login/oidc/callback': () => ({}),
  'GET /join/:key': ({ links }) => ({ key: links.join }),
  'POST /join/:key': ({ links }) => ({ key: links.join, email: 'newcomer@new.example' }),
  'GET /unsubscribe/:key': ({ links }) => ({ key: links.unsubscribe }),
  'POST /unsubscribe/:key': ({ links }) => ({ key: links.unsubscribe }),
  'GET /accounts/confirm_new_email/:key': ({ links }) => ({ key: links.confirm }),
  'POST /accounts/confirm_new_email/:key': ({ links }) => ({ key: links.confirm }),
  'GET /accounts/password/reset': () => ({}),
  'GET /integrations': () => ({}),
  'GET /integrations/:name': () => ({ name: 'github' }),
  'POST /accounts/password/reset': () => ({ email: 'nobody@new.example' }),
  'GET /accounts/password/reset/:key': ({ links }) => ({ key: links.reset }),
  'POST /accounts/password/reset/:key': ({ links }) => ({
    key: links.reset,
    password: 'correct horse battery',
  }),
};
