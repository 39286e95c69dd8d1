import * as actions from '@parley/actions';
import { emojiState } from '@parley/model';
import { RealmEmoji, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint.ts';

export const emojiRoutes = [
  endpoint({
    method: 'GET',
    path: '/realm/emoji',
    summary: "Lists the organization's custom emoji, including deactivated ones.",
    since: null,
    errors: [],
    params: {},
    returns: { emoji: z.record(z.string(), RealmEmoji) },
    async handle({ realm, snapshot }) {
      return { emoji: await snapshot((tx) => emojiState(tx, realm.id)) };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/emoji/:emoji_name',
    summary: 'Deactivates a custom emoji.',
    since: null,
    errors: [],
    params: { emoji_name: form.line(limits.emojiLength) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform((tx) => actions.emoji.deactivate(tx, actor, params.emoji_name));
      return {};
    },
  }),
];
