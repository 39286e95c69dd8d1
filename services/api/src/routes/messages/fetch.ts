import { notLoggedIn } from '@parley/http';
import { type Term, fetchByIds, fetchRange, isSpectator } from '@parley/model';
import { ApiError, FetchedMessage, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../../endpoint.ts';
import { checkEnds, narrow, readAnchor } from './narrow.ts';

const formParams = {
  client_gravatar: form.bool().default(true),
  apply_markdown: form.bool().default(true),
  allow_empty_topic_name: form.bool().default(false),
};

interface FormParams {
  client_gravatar: boolean;
  apply_markdown: boolean;
  allow_empty_topic_name: boolean;
}

const formOf = (params: FormParams) => ({
  applyMarkdown: params.apply_markdown,
  clientGravatar: params.client_gravatar,
  allowEmptyTopicName: params.allow_empty_topic_name,
});

const count = () => form.int(0, limits.messagesPerFetch).default(0);

/** Whether a term limits a narrow to the messages of web-public channels, which spectators may read. */
const isOfWebPublic = ({ operator, operand, negated }: Term) =>
  (operator === 'channels' || operator === 'streams') && operand === 'web-public' && !negated;

export const fetchRoutes = [
  endpoint({
    method: 'GET',
    path: '/messages',
    summary: 'Fetches messages around an anchor, or by their ids, that match a narrow.',
    since: null,
    errors: ['BAD_NARROW', 'REQUEST_VARIABLE_MISSING'],
    auth: 'spectator',
    params: {
      anchor: form.text().optional(),
      anchor_date: form.text().optional(),
      include_anchor: form.bool().default(true),
      num_before: count(),
      num_after: count(),
      narrow: narrow.default([]),
      use_first_unread_anchor: form.bool().default(false),
      message_ids: form.json(z.array(id).max(limits.messagesPerFetch)).optional(),
      ...formParams,
    },
    returns: {
      messages: z.array(FetchedMessage),
      anchor: z.union([z.int(), z.literal(limits.anchorNewest)]).optional(),
      found_anchor: z.boolean(),
      found_oldest: z.boolean(),
      found_newest: z.boolean(),
      history_limited: z.boolean(),
    },
    async handle({ actor, params, snapshot }) {
      const { anchor, message_ids, num_before, num_after, include_anchor } = params;
      if (isSpectator(actor) && !params.narrow.some(isOfWebPublic)) throw notLoggedIn();
      const clientGravatar = params.client_gravatar && !isSpectator(actor);
      const fetching = { narrow: params.narrow, ...formOf(params), clientGravatar };
      if (message_ids) {
        if (anchor !== undefined || num_before > 0 || num_after > 0) {
          throw new ApiError('BAD_REQUEST', 'Unsupported parameter combination: message_ids, anchor', {
            parameters: 'message_ids, anchor',
          });
        }
        const found = await snapshot((tx) => fetchByIds(tx, actor, message_ids, fetching));
        return {
          messages: found,
          found_anchor: false,
          found_oldest: false,
          found_newest: false,
          history_limited: false,
        };
      }
      const position = params.use_first_unread_anchor
        ? 'first_unread'
        : anchor && readAnchor(anchor, params.anchor_date);
      if (position === undefined || position === '')
        throw new ApiError('BAD_REQUEST', "Missing 'anchor' argument.");
      if (num_before + num_after > limits.messagesPerFetch) {
        throw new ApiError(
          'BAD_REQUEST',
          `Too many messages requested (maximum ${limits.messagesPerFetch}).`,
        );
      }
      checkEnds(include_anchor, num_before, num_after);
      return await snapshot((tx) =>
        fetchRange(tx, actor, {
          ...fetching,
          anchor: position,
          includeAnchor: include_anchor,
          numBefore: num_before,
          numAfter: num_after,
        }),
      );
    },
  }),

  endpoint({
    method: 'GET',
    path: '/messages/:message_id',
    summary: 'Fetches one message.',
    since: null,
    errors: [],
    auth: 'spectator',
    params: {
      message_id: form.id(),
      apply_markdown: formParams.apply_markdown,
      allow_empty_topic_name: formParams.allow_empty_topic_name,
    },
    returns: { message: FetchedMessage, raw_content: z.string() },
    async handle({ actor, params, snapshot }) {
      const fetching = { narrow: [], ...formOf({ ...params, client_gravatar: !isSpectator(actor) }) };
      const fetch = (applyMarkdown: boolean) =>
        snapshot((tx) => fetchByIds(tx, actor, [params.message_id], { ...fetching, applyMarkdown }));
      const [[message], [raw]] = await Promise.all([fetch(params.apply_markdown), fetch(false)]);
      if (!message || !raw) {
        throw isSpectator(actor) ? notLoggedIn() : new ApiError('BAD_REQUEST', 'Invalid message(s)');
      }
      return { message, raw_content: raw.content };
    },
  }),
];
