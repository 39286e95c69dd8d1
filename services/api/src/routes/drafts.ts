import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { Draft, draftTypes, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';

const NewDraft = z.strictObject({
  type: z.enum(draftTypes),
  to: z.array(id).max(limits.recipientsPerMessage),
  topic: z.string(),
  content: z.string().trim().min(1),
  timestamp: z.number().max(limits.timestampMax).nullish(),
});

export const draftRoutes = [
  endpoint({
    method: 'GET',
    path: '/drafts',
    summary: "Lists the caller's drafts, those that were edited last at the end.",
    since: null,
    errors: [],
    params: {},
    returns: { count: z.int(), drafts: z.array(Draft) },
    async handle({ actor, snapshot }) {
      const drafts = await snapshot((tx) => model.drafts.listDrafts(tx, actor));
      return { count: drafts.length, drafts };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/drafts',
    summary: 'Creates drafts of the caller, all of them or none.',
    since: null,
    errors: [],
    isLong: true,
    params: { drafts: form.jsonWithNulls(z.array(NewDraft).max(limits.draftsPerUser)).default([]) },
    returns: { ids: z.array(z.int()) },
    async handle({ actor, params, clock, perform }) {
      const nowMs = clock.nowMs();
      const { ids } = await perform(actions.drafts.create, { actor, drafts: params.drafts, nowMs });
      return { ids };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/drafts/:draft_id',
    summary: 'Replaces a draft of the caller by another.',
    since: null,
    errors: [],
    params: { draft_id: form.bigId(), draft: form.jsonWithNulls(NewDraft) },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const input = { id: params.draft_id, draft: params.draft };
      const nowMs = clock.nowMs();
      await perform(actions.drafts.edit, { actor, ...input, nowMs });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/drafts/:draft_id',
    summary: 'Deletes a draft of the caller.',
    since: null,
    errors: [],
    params: { draft_id: form.bigId() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.drafts.remove, { actor, id: params.draft_id });
      return {};
    },
  }),
];
