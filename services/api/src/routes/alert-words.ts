import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const returns = { alert_words: z.array(z.string()) };
const words = form
  .json(z.array(z.string().trim().max(limits.alertWordLength)).max(limits.alertWordsPerRequest))
  .transform((list) => list.filter((word) => word !== ''));

export const alertWordRoutes = [
  endpoint({
    method: 'GET',
    path: '/users/me/alert_words',
    summary: 'Lists the words that the caller wants to be alerted to.',
    since: null,
    errors: [],
    params: {},
    returns,
    async handle({ actor, snapshot }) {
      return { alert_words: await snapshot((tx) => model.alertWords.alertWordsState(tx, actor)) };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/users/me/alert_words',
    summary: 'Adds words for the caller to be alerted to, and answers with all of them.',
    since: null,
    errors: [],
    isLong: true,
    params: { alert_words: words },
    returns,
    async handle({ actor, params, perform }) {
      const { words: all } = await perform(actions.alertWords.add, { actor, words: params.alert_words });
      return { alert_words: all };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/users/me/alert_words',
    summary: 'Removes words that the caller is alerted to, and answers with those that are left.',
    since: null,
    errors: [],
    isLong: true,
    params: { alert_words: words },
    returns,
    async handle({ actor, params, perform }) {
      const { words: all } = await perform(actions.alertWords.remove, { actor, words: params.alert_words });
      return { alert_words: all };
    },
  }),
];
