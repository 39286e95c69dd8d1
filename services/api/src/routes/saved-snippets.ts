import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { SavedSnippet } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

export const savedSnippetRoutes = [
  endpoint({
    method: 'GET',
    path: '/saved_snippets',
    summary: "Lists the caller's saved snippets.",
    since: 297,
    errors: [],
    params: {},
    returns: { saved_snippets: z.array(SavedSnippet) },
    async handle({ actor, snapshot }) {
      return { saved_snippets: await snapshot((tx) => model.savedSnippets.savedSnippetsState(tx, actor)) };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/saved_snippets',
    summary: 'Saves a snippet of text for the caller.',
    since: 297,
    errors: [],
    params: { title: form.text(), content: form.text() },
    returns: { saved_snippet_id: z.int() },
    async handle({ actor, params, perform }) {
      const { id } = await perform(actions.savedSnippets.create, { actor, ...params });
      return { saved_snippet_id: id };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/saved_snippets/:saved_snippet_id',
    summary: 'Changes a saved snippet of the caller.',
    since: 368,
    errors: [],
    params: {
      saved_snippet_id: form.id(),
      title: form.text().optional(),
      content: form.text().optional(),
    },
    returns: {},
    async handle({ actor, params: { saved_snippet_id: id, ...changes }, perform }) {
      await perform(actions.savedSnippets.edit, { actor, id, ...changes });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/saved_snippets/:saved_snippet_id',
    summary: 'Deletes a saved snippet of the caller.',
    since: 297,
    errors: [],
    params: { saved_snippet_id: form.id() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.savedSnippets.remove, { actor, id: params.saved_snippet_id });
      return {};
    },
  }),
];
