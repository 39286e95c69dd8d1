import type { Fixture } from '../fixtures/access.ts';
import { accounts, anybody } from '../fixtures/callers.ts';
import { type Case, type Table, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

const draft = { type: '', to: [], topic: '', content: 'later' };

/** Something that Alice, who is none of the callers, keeps for herself. */
const ofAlice = (
  params: (fixture: Fixture) => Promise<Record<string, unknown>>,
  code = 'BAD_REQUEST',
): Case[] => [{ of: 'somebody else’s', params, may: [], code }];

const draftOf = async ({ alice }: Fixture) => {
  const { ids } = await alice.post('/drafts', { drafts: [{ ...draft, content: 'zebra-words' }] });
  return { draft_id: ids[0] as number };
};

const snippet = { title: 'Hello', content: 'Hello, all!' };

const snippetOf = async ({ alice }: Fixture) => {
  const { saved_snippet_id } = await alice.post('/saved_snippets', { ...snippet, title: 'zebra-words' });
  return { saved_snippet_id: saved_snippet_id as number };
};

const viewOf = async ({ alice }: Fixture) => {
  await alice.post('/navigation_views', { fragment: 'narrow/zebra-words', is_pinned: true, name: 'Mine' });
  return { fragment: 'narrow/zebra-words' };
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
  'GET /bot_storage': own(),
  'PUT /bot_storage': own(() => ({ storage: { count: '1' } })),
  'DELETE /bot_storage': own(),
  'GET /saved_snippets': own(),
  'POST /saved_snippets': own(() => snippet),
  'PATCH /saved_snippets/:saved_snippet_id': ofAlice(async (fixture) => ({
    ...(await snippetOf(fixture)),
    title: 'taken',
  })),
  'DELETE /saved_snippets/:saved_snippet_id': ofAlice(snippetOf),
  'GET /navigation_views': own(),
  'POST /navigation_views': own(() => ({ fragment: 'inbox', is_pinned: true })),
  'PATCH /navigation_views/:fragment': ofAlice(
    async (fixture) => ({ ...(await viewOf(fixture)), is_pinned: false }),
    'NOT_FOUND',
  ),
  'DELETE /navigation_views/:fragment': ofAlice(viewOf, 'NOT_FOUND'),
  'POST /users/me/onboarding_steps': own(() => ({ onboarding_step: 'intro_resolve_topic' })),
};

export const requests: Requests = {
  'GET /drafts': () => ({}),
  'POST /drafts': () => ({ drafts: JSON.stringify([draft]) }),
  'PATCH /drafts/:draft_id': ({ draftId }) => ({ draft_id: String(draftId), draft: JSON.stringify(draft) }),
  'DELETE /drafts/:draft_id': ({ draftId }) => ({ draft_id: String(draftId) }),
  'GET /bot_storage': () => ({}),
  'PUT /bot_storage': () => ({ storage: '{"count":"1"}' }),
  'DELETE /bot_storage': () => ({}),
  'GET /saved_snippets': () => ({}),
  'POST /saved_snippets': () => snippet,
  'PATCH /saved_snippets/:saved_snippet_id': ({ snippetId }) => ({
    saved_snippet_id: String(snippetId),
    title: 'Bye',
  }),
  'DELETE /saved_snippets/:saved_snippet_id': ({ snippetId }) => ({ saved_snippet_id: String(snippetId) }),
  'GET /navigation_views': () => ({}),
  'POST /navigation_views': () => ({ fragment: 'inbox', is_pinned: 'true' }),
  'PATCH /navigation_views/:fragment': () => ({ fragment: 'narrow/walks', is_pinned: 'false' }),
  'DELETE /navigation_views/:fragment': () => ({ fragment: 'narrow/walks' }),
  'POST /users/me/onboarding_steps': () => ({ onboarding_step: 'intro_inbox_view_modal' }),
};
