import { accounts, anybody } from '../access/callers.ts';
import { type Case, type Table, own } from '../access/cases.ts';
import type { Fixture } from '../access/fixture.ts';
import type { Requests } from '../endpoints/fixture.ts';

const draft = { type: '', to: [], topic: '', content: 'later' };

/** Something that Alice, who is none of the callers, keeps for herself. */
const ofAlice = (params: (fixture: Fixture) => Promise<Record<string, unknown>>): Case[] => [
  { of: 'somebody else’s', params, may: [], code: 'BAD_REQUEST' },
];

const draftOf = async ({ alice }: Fixture) => {
  const { ids } = await alice.post('/drafts', { drafts: [{ ...draft, content: 'zebra-words' }] });
  return { draft_id: ids[0] as number };
};

/** What people keep for themselves. */
export const access: Table = {
  'GET /drafts': own(),
  'POST /drafts': [
    { of: 'one’s own', params: () => ({ drafts: [draft] }), may: anybody },
    {
      of: 'to a user of the organization',
      params: ({ alice }) => ({ drafts: [{ ...draft, type: 'private', to: [alice.id] }] }),
      may: accounts,
      code: 'BAD_REQUEST',
    },
    {
      of: 'to a private channel',
      params: ({ privateId }) => ({ drafts: [{ ...draft, type: 'stream', to: [privateId] }] }),
      may: ['insider'],
      code: 'BAD_REQUEST',
    },
  ],
  'PATCH /drafts/:draft_id': ofAlice(async (fixture) => ({ ...(await draftOf(fixture)), draft })),
  'DELETE /drafts/:draft_id': ofAlice(draftOf),
};

export const requests: Requests = {
  'GET /drafts': () => ({}),
  'POST /drafts': () => ({ drafts: JSON.stringify([draft]) }),
  'PATCH /drafts/:draft_id': ({ draftId }) => ({ draft_id: String(draftId), draft: JSON.stringify(draft) }),
  'DELETE /drafts/:draft_id': ({ draftId }) => ({ draft_id: String(draftId) }),
};
