import { uploadEmoji } from '../../support/index.ts';
import { administrators } from './callers.ts';
import { type Table, own } from './cases.ts';

/** What is the organization’s. */
export const organization: Table = {
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
      codes: { otherRealm: 'NOT_FOUND' },
    },
  ],
};
