import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { Linkifier, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';

const pattern = form.line(limits.linkifierPatternLength);
const url_template = form.line(limits.urlTemplateLength);
const filter_id = form.json(z.int());

export const linkifierRoutes = [
  endpoint({
    method: 'GET',
    path: '/realm/linkifiers',
    summary: 'Lists the patterns that turn text into links, in the order in which they apply.',
    since: 54,
    errors: [],
    params: {},
    returns: { linkifiers: z.array(Linkifier) },
    async handle({ realm, snapshot }) {
      return { linkifiers: await snapshot((tx) => model.linkifiers.linkifiersState(tx, realm.id)) };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/realm/linkifiers',
    summary: 'Puts all linkifiers into a new order.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { ordered_linkifier_ids: form.json(z.array(id).max(limits.linkifiersPerRealm)) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.linkifiers.reorder, { actor, order: params.ordered_linkifier_ids });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/realm/filters',
    summary: 'Creates a linkifier: a pattern and the template of its links.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { pattern, url_template },
    returns: { id: z.int() },
    async handle({ actor, params, perform }) {
      const input = { pattern: params.pattern, urlTemplate: params.url_template };
      const { linkifier } = await perform(actions.linkifiers.create, { actor, ...input });
      return { id: linkifier.id };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/realm/filters/:filter_id',
    summary: 'Replaces the pattern and the link template of a linkifier.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { filter_id, pattern, url_template },
    returns: {},
    async handle({ actor, params, perform }) {
      const input = {
        id: params.filter_id,
        pattern: params.pattern,
        urlTemplate: params.url_template,
      };
      await perform(actions.linkifiers.edit, { actor, ...input });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/filters/:filter_id',
    summary: 'Removes a linkifier.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { filter_id },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.linkifiers.remove, { actor, id: params.filter_id });
      return {};
    },
  }),
];
