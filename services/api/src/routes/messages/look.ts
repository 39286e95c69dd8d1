import { findMatches, previewMessage, listReaders } from '@parley/model';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../../endpoint.ts';
import { narrow } from './narrow.ts';

/** What changes nothing, and fetches no messages either. `matches_narrow` must come before `:message_id`. */
export const lookRoutes = [
  endpoint({
    method: 'GET',
    path: '/messages/matches_narrow',
    summary: 'Says which of the given messages match a narrow, with the matches highlighted.',
    since: null,
    errors: ['BAD_NARROW'],
    params: { msg_ids: form.json(z.array(id).max(limits.messagesPerFetch)), narrow },
    returns: {
      messages: z.record(
        z.string(),
        z.strictObject({ match_content: z.string(), match_subject: z.string() }),
      ),
    },
    async handle({ actor, params, snapshot }) {
      const found = await snapshot((tx) => findMatches(tx, actor, params.msg_ids, params.narrow));
      return { messages: found };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/messages/render',
    summary: 'Renders a text to HTML as it would be rendered in a message of the caller.',
    since: null,
    errors: [],
    params: { content: form.text() },
    returns: { rendered: z.string() },
    handle: ({ params, actor, snapshot }) =>
      snapshot(async (tx) => ({ rendered: await previewMessage(tx, actor, params.content) })),
  }),

  endpoint({
    method: 'GET',
    path: '/messages/:message_id/read_receipts',
    summary: 'Lists the ids of the users who have read a message.',
    since: 137,
    errors: [],
    params: { message_id: form.id() },
    returns: { user_ids: z.array(z.int()) },
    async handle({ actor, params, snapshot }) {
      return { user_ids: await snapshot((tx) => listReaders(tx, actor, params.message_id)) };
    },
  }),
];
