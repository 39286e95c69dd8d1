import { type Params, succeed, uploadEmoji } from '../../support/index.ts';
import { administrators, callers } from '../fixtures/callers.ts';
import { type Case, type Table, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** A domain of the organization's, another one for each caller. */
const ofDomain = (what: string, more: Params = {}): Case[] => [
  {
    of: 'the organization',
    async params({ owner }, caller) {
      const domain = `${what}-${caller.toLowerCase()}.example`;
      await succeed(owner.post('/realm/domains', { domain, allow_subdomains: false }));
      return { domain, ...more };
    },
    may: ['owner'],
    code: 'UNAUTHORIZED_PRINCIPAL',
    codes: { otherRealm: 'BAD_REQUEST' },
  },
];

/** Administrators, whom only the picture is missing. */
const noPicture = Object.fromEntries(
  [...administrators, 'otherRealm' as const].map((caller) => [caller, 'BAD_REQUEST']),
);

const ofTheOrganization: Case = {
  of: 'the organization’s',
  params: () => ({}),
  may: [...administrators, 'otherRealm'],
  code: 'UNAUTHORIZED_PRINCIPAL',
};

/** What is the organization’s. */
export const access: Table = {
  'PATCH /realm': [
    {
      of: 'the organization',
      params: () => ({ description: 'x' }),
      may: [...administrators, 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
    },
    {
      of: 'what is for owners',
      params: () => ({ waiting_period_threshold: 1 }),
      may: ['owner', 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
    },
  ],
  'PATCH /realm/user_settings_defaults': [
    {
      of: 'the organization’s',
      params: () => ({ enter_sends: true }),
      may: [...administrators, 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
    },
  ],
  'GET /realm/domains': own(),
  'POST /realm/domains': [
    {
      of: 'the organization',
      params: (_, caller) => ({ domain: `${caller.toLowerCase()}.example`, allow_subdomains: false }),
      may: ['owner', 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
    },
  ],
  'PATCH /realm/domains/:domain': ofDomain('changed', { allow_subdomains: true }),
  'DELETE /realm/domains/:domain': ofDomain('removed'),
  'GET /realm/emoji': own(),
  'POST /realm/emoji/:emoji_name': [
    { of: 'without a picture', params: () => ({ emoji_name: 'x' }), may: [], code: 'BAD_REQUEST' },
  ],
  'POST /realm/deactivate': [
    {
      of: 'with a date for its data',
      params: () => ({ deletion_delay_days: 14 }),
      may: [],
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: { owner: 'BAD_REQUEST', otherRealm: 'BAD_REQUEST' },
    },
  ],
  'POST /realm/test_welcome_bot_custom_message': [
    { ...ofTheOrganization, params: () => ({ welcome_message_custom_text: 'x' }) },
  ],
  'GET /realm/subdomain/:subdomain': [
    { of: 'of anyone', params: () => ({ subdomain: 'free-to-take' }), may: callers },
  ],
  'GET /compatibility': [
    { of: 'without a name', params: () => ({ client: 'Unspecified' }), may: [], code: 'BAD_REQUEST' },
  ],
  'POST /calls/zoom/create': [{ of: 'anywhere', params: () => ({}), may: [], code: 'BAD_REQUEST' }],
  'GET /calls/bigbluebutton/create': [
    { of: 'anywhere', params: () => ({ meeting_name: 'x' }), may: [], code: 'BAD_REQUEST' },
  ],
  'POST /zcommand': own(() => ({ command: '/ping' })),
  'GET /realm/icon': own(),
  'POST /realm/icon': [
    {
      of: 'without a picture',
      params: () => ({}),
      may: [],
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: noPicture,
    },
  ],
  'DELETE /realm/icon': [ofTheOrganization],
  'GET /realm/logo': own(() => ({ night: false })),
  'POST /realm/logo': [
    {
      of: 'without a picture',
      params: () => ({ night: true }),
      may: [],
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: noPicture,
    },
  ],
  'DELETE /realm/logo': [{ ...ofTheOrganization, params: () => ({ night: true }) }],
  'DELETE /realm/emoji/:emoji_name': [
    {
      of: 'another’s',
      async params(fixture, caller) {
        const name = caller.toLowerCase();
        await uploadEmoji(fixture, name);
        return { emoji_name: name };
      },
      may: administrators,
      code: 'BAD_REQUEST',
    },
  ],
};

export const requests: Requests = {
  'GET /realm/domains': () => ({}),
  'POST /realm/domains': () => ({ domain: 'walks.example', allow_subdomains: 'true' }),
  'PATCH /realm/domains/:domain': () => ({ domain: 'walked.example', allow_subdomains: 'true' }),
  'DELETE /realm/domains/:domain': () => ({ domain: 'walked.example' }),
  'GET /realm/emoji': () => ({}),
  'POST /realm/emoji/:emoji_name': () => ({ emoji_name: 'walked_in' }),
  'POST /realm/deactivate': () => ({}),
  'POST /realm/test_welcome_bot_custom_message': () => ({ welcome_message_custom_text: 'x' }),
  'GET /realm/subdomain/:subdomain': () => ({ subdomain: 'walked-here' }),
  'GET /compatibility': () => ({ client: 'a test' }),
  'POST /calls/zoom/create': () => ({}),
  'GET /calls/bigbluebutton/create': () => ({ meeting_name: 'x' }),
  'POST /zcommand': () => ({ command: '/ping' }),
  'GET /realm/icon': () => ({}),
  'POST /realm/icon': () => ({}),
  'DELETE /realm/icon': () => ({}),
  'GET /realm/logo': () => ({ night: 'false' }),
  'POST /realm/logo': () => ({ night: 'false' }),
  'DELETE /realm/logo': () => ({ night: 'true' }),
  'DELETE /realm/emoji/:emoji_name': ({ emojiName }) => ({ emoji_name: emojiName }),
  'PATCH /realm': () => ({ name: 'Walked' }),
  'PATCH /realm/user_settings_defaults': () => ({ enable_sounds: 'false' }),
};
