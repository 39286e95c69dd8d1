import { notLoggedIn } from '@parley/http';
import * as model from '@parley/model';
import { ApiError, FetchedMessage, limits } from '@parley/protocol';
import { z } from 'zod';

import { bigId, endpoint, form } from '../../endpoint/endpoint.ts';
import { checkEnds, narrow, readAnchor, searches } from './narrow.ts';

const renderingParams = {
  client_gravatar: form.bool().default(true),
  apply_markdown: form.bool().default(true),
};

interface RenderingParams {
  client_gravatar: boolean;
  apply_markdown: boolean;
}

const renderingOf = (params: RenderingParams) => ({
  applyMarkdown: params.apply_markdown,
  clientGravatar: params.client_gravatar,
});

const count = () => form.int(0, 1_000_000_000).default(0);

interface RangeParams {
  anchor?: string | undefined;
  anchor_date?: string | undefined;
  use_first_unread_anchor: boolean;
  include_anchor: boolean;
  num_before: number;
  num_after: number;
}

/** @throws BAD_REQUEST for no anchor, too many messages, or an anchor that is excluded from its middle */
function readRange(params: RangeParams) {
  const { include_anchor: includeAnchor, num_before: numBefore, num_after: numAfter } = params;
  const anchor = readPosition(params);
  if (numBefore + numAfter > limits.messagesPerFetch) {
    throw new ApiError('BAD_REQUEST', `You can request at most ${limits.messagesPerFetch} messages at once.`);
  }
  checkEnds(includeAnchor, numBefore, numAfter);
  return { anchor, includeAnchor, numBefore, numAfter };
}

function readPosition({ use_first_unread_anchor, anchor, anchor_date }: RangeParams): model.messages.Anchor {
  if (use_first_unread_anchor) return 'first_unread';
  if (anchor === undefined || anchor === '')
    throw new ApiError('BAD_REQUEST', "The parameter 'anchor' is missing.");
  return readAnchor(anchor, anchor_date);
}

/** Refuses a range beside ids, because a request names its messages in one way. */
function assertNoRange({ anchor, num_before, num_after }: RangeParams): void {
  if (anchor === undefined && num_before === 0 && num_after === 0) return;
  throw new ApiError('BAD_REQUEST', "Send either 'message_ids' or 'anchor', not both.", {
    parameters: 'message_ids, anchor',
  });
}

/** Whether a term limits a narrow to the messages of web-public channels, which spectators may read. */
const isOfWebPublic = ({ operator, operand, negated }: model.messages.NarrowTerm) =>
  (operator === 'channels' || operator === 'streams') && operand === 'web-public' && !negated;

export const fetchRoutes = [
  endpoint({
    method: 'GET',
    path: '/messages',
    summary: 'Fetches messages around an anchor, or by their ids, that match a narrow.',
    since: null,
    errors: ['BAD_NARROW', 'REQUEST_VARIABLE_MISSING'],
    fromReplicas: true,
    searches,
    auth: 'spectator',
    params: {
      anchor: form.text().optional(),
      anchor_date: form.text().optional(),
      include_anchor: form.bool().default(true),
      num_before: count(),
      num_after: count(),
      narrow: narrow.default([]),
      use_first_unread_anchor: form.bool().default(false),
      message_ids: form.json(z.array(bigId).max(limits.messagesPerFetch)).optional(),
      ...renderingParams,
    },
    returns: {
      messages: z.array(FetchedMessage),
      anchor: z.union([z.int(), z.literal(limits.anchorNewest)]).optional(),
      found_anchor: z.boolean(),
      found_oldest: z.boolean(),
      found_newest: z.boolean(),
      history_limited: z.boolean(),
      search_corrections: z.record(z.string(), z.array(z.string())).optional(),
    },
    async handle({ actor, params, snapshot, search }) {
      if (model.realms.isSpectator(actor) && !params.narrow.some(isOfWebPublic)) throw notLoggedIn();
      const clientGravatar = params.client_gravatar && !model.realms.isSpectator(actor);
      const options = { narrow: params.narrow, ...renderingOf(params), clientGravatar };
      const { message_ids: ids } = params;
      if (!ids) {
        const range = readRange(params);
        return await snapshot((tx) =>
          model.messages.fetchMessages(tx, actor, { ...options, ...range }, search),
        );
      }
      assertNoRange(params);
      return {
        messages: await snapshot((tx) => model.messages.fetchMessagesByIds(tx, actor, ids, options)),
        found_anchor: false,
        found_oldest: false,
        found_newest: false,
        history_limited: false,
      };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/messages/:message_id',
    summary: 'Fetches one message.',
    since: null,
    errors: [],
    fromReplicas: true,
    auth: 'spectator',
    params: { message_id: form.bigId(), apply_markdown: renderingParams.apply_markdown },
    returns: { message: FetchedMessage, raw_content: z.string() },
    async handle({ actor, params, snapshot }) {
      const options = {
        narrow: [],
        ...renderingOf({ ...params, client_gravatar: !model.realms.isSpectator(actor) }),
      };
      const fetch = (applyMarkdown: boolean) =>
        snapshot((tx) =>
          model.messages.fetchMessagesByIds(tx, actor, [params.message_id], { ...options, applyMarkdown }),
        );
      const [[message], [raw]] = await Promise.all([fetch(params.apply_markdown), fetch(false)]);
      if (!message || !raw) {
        throw model.realms.isSpectator(actor)
          ? notLoggedIn()
          : new ApiError('BAD_REQUEST', 'These messages do not exist, or you do not have access to them.');
      }
      return { message, raw_content: raw.content };
    },
  }),
];
