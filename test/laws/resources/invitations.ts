import { succeed } from '../../support/index.ts';
import type { Fixture } from '../fixtures/access.ts';
import { administrators, members } from '../fixtures/callers.ts';
import { type Case, type Table, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

const withoutGuests = { may: [...members, 'otherRealm'], code: 'BAD_REQUEST' } as const;

/** What Alice has asked for, anew for each caller. */
async function newest({ owner }: Fixture): Promise<number> {
  return (await succeed(owner.get('/invites'))).invites[0].id;
}

const ofAnother = (make: (fixture: Fixture, name: string) => Promise<unknown>): Case[] => [
  {
    of: 'another’s',
    async params(fixture, caller) {
      await make(fixture, caller);
      return { invite_id: await newest(fixture) };
    },
    may: administrators,
    code: 'UNAUTHORIZED_PRINCIPAL',
    codes: { guest: 'BAD_REQUEST', otherRealm: 'BAD_REQUEST' },
  },
];

const inviteAsAlice = ({ alice }: Fixture, name: string) =>
  succeed(alice.post('/invites', { invitee_emails: `of.${name}@new.example`, stream_ids: [] }));
const linkOfAdministrator = ({ admin }: Fixture) => succeed(admin.post('/invites/multiuse'));

export const access: Table = {
  'GET /invites': own().map((one) => ({ ...one, ...withoutGuests })),
  'POST /invites': [
    {
      of: 'a member',
      params: (_, caller) => ({ invitee_emails: `${caller}@new.example`, stream_ids: [] }),
      ...withoutGuests,
    },
    {
      of: 'a moderator',
      params: (_, caller) => ({ invitee_emails: `${caller}@new.example`, stream_ids: [], invite_as: 300 }),
      may: [...administrators, 'otherRealm'],
      code: 'BAD_REQUEST',
    },
    {
      of: 'an owner',
      params: (_, caller) => ({ invitee_emails: `${caller}@new.example`, stream_ids: [], invite_as: 100 }),
      may: ['owner', 'otherRealm'],
      code: 'UNAUTHORIZED_PRINCIPAL',
      codes: { guest: 'BAD_REQUEST' },
    },
    {
      of: 'into a private channel',
      params: ({ privateId }, caller) => ({
        invitee_emails: `${caller}@new.example`,
        stream_ids: [privateId],
      }),
      may: ['insider'],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /invites/multiuse': [
    {
      of: 'a link',
      params: () => ({}),
      may: [...administrators, 'otherRealm'],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /invites/:invite_id/resend': ofAnother(inviteAsAlice),
  'DELETE /invites/:invite_id': ofAnother(inviteAsAlice),
  'DELETE /invites/multiuse/:invite_id': ofAnother(linkOfAdministrator),
};

export const requests: Requests = {
  'GET /invites': () => ({}),
  'POST /invites': () => ({ invitee_emails: 'Walker <walker@new.example>', stream_ids: '[]' }),
  'POST /invites/multiuse': () => ({}),
  'POST /invites/:invite_id/resend': ({ inviteId }) => ({ invite_id: String(inviteId) }),
  'DELETE /invites/:invite_id': ({ inviteId }) => ({ invite_id: String(inviteId) }),
  'DELETE /invites/multiuse/:invite_id': ({ inviteLinkId }) => ({ invite_id: String(inviteLinkId) }),
};
