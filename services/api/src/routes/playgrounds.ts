import * as actions from '@parley/actions';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

export const playgroundRoutes = [
  endpoint({
    method: 'POST',
    path: '/realm/playgrounds',
    summary: 'Creates a code playground for a programming language.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: {
      name: form.line(limits.playgroundNameLength),
      pygments_language: form.line(limits.playgroundLanguageLength),
      url_template: form.line(limits.urlTemplateLength),
    },
    returns: { id: z.int() },
    async handle({ actor, params, perform }) {
      const input = {
        name: params.name,
        language: params.pygments_language,
        urlTemplate: params.url_template,
      };
      const { playground } = await perform(actions.playgrounds.create, { actor, ...input });
      return { id: playground.id };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/playgrounds/:playground_id',
    summary: 'Removes a code playground.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { playground_id: form.json(z.int()) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.playgrounds.remove, { actor, id: params.playground_id });
      return {};
    },
  }),
];
