import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { NavigationView, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const fragment = form.line(limits.fragmentLength);
const name = form.line(limits.navigationViewNameLength).optional();

export const navigationViewRoutes = [
  endpoint({
    method: 'GET',
    path: '/navigation_views',
    summary: 'Lists the views that the caller has pinned in the menu, or hidden there.',
    since: 390,
    errors: [],
    params: {},
    returns: { navigation_views: z.array(NavigationView) },
    async handle({ actor, snapshot }) {
      return {
        navigation_views: await snapshot((tx) => model.navigationViews.navigationViewsState(tx, actor)),
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/navigation_views',
    summary: "Adds a view to the caller's navigation views.",
    since: 390,
    errors: [],
    params: {
      fragment: fragment.refine((text) => text.trim() !== '', 'cannot be empty.'),
      is_pinned: form.bool(),
      name,
    },
    returns: {},
    async handle({ actor, params: { is_pinned: isPinned, ...view }, perform }) {
      await perform(actions.navigationViews.create, { actor, ...view, isPinned });
      return {};
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/navigation_views/:fragment',
    hasSlashes: true,
    summary: 'Pins, hides or renames a navigation view of the caller.',
    since: 390,
    errors: ['NOT_FOUND'],
    params: { fragment, is_pinned: form.bool().optional(), name },
    returns: {},
    async handle({ actor, params: { is_pinned: isPinned, ...view }, perform }) {
      await perform(actions.navigationViews.edit, { actor, ...view, isPinned });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/navigation_views/:fragment',
    hasSlashes: true,
    summary: "Removes a view from the caller's navigation views.",
    since: 390,
    errors: ['NOT_FOUND'],
    params: { fragment },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.navigationViews.remove, { actor, fragment: params.fragment });
      return {};
    },
  }),
];
