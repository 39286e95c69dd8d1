import { uploadEmoji } from '../../support/index.ts';
import { administrators } from '../access/callers.ts';
import { type Table, own } from '../access/cases.ts';
import type { Requests } from '../endpoints/fixture.ts';

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
  'GET /realm/emoji': own(),
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
  'GET /realm/emoji': () => ({}),
  'DELETE /realm/emoji/:emoji_name': () => ({ emoji_name: 'walked' }),
  'PATCH /realm': () => ({ name: 'Walked' }),
  'PATCH /realm/user_settings_defaults': () => ({ enable_sounds: 'false' }),
};
