import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

import { bigId, endpoint, form } from '../../endpoint/endpoint.ts';
import { checkEnds, narrow, readAnchor, searches } from './narrow.ts';

/** Flags that only the server sets. */
const fixedFlags = new Set([
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'group_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
  'force_expand',
  'force_collapse',
]);

function readChange(op: string, flag: string): Pick<actions.messages.FlagChange, 'op' | 'flag'> {
  if (op !== 'add' && op !== 'remove') {
    throw new ApiError('BAD_REQUEST', `'op' cannot be '${op}'. Use 'add' or 'remove'.`);
  }
  if (fixedFlags.has(flag)) throw new ApiError('BAD_REQUEST', `The flag '${flag}' cannot be changed.`);
  if (flag !== 'read' && flag !== 'starred' && flag !== 'collapsed') {
    throw new ApiError('BAD_REQUEST', `There is no flag '${flag}'.`);
  }
  return { op, flag };
}

/** Limits a range to the most messages of one fetch. Each side keeps at least half of that, if it asked for it. */
function clampSpan(before: number, after: number) {
  const [most, half] = [limits.messagesPerFetch, limits.messagesPerFetch / 2];
  if (before + after <= most) return { numBefore: before, numAfter: after };
  if (before > half && after > half) return { numBefore: half, numAfter: half };
  return before > half
    ? { numBefore: most - after, numAfter: after }
    : { numBefore: before, numAfter: most - before };
}

const count = () => form.int(0, 1_000_000_000);

export const flagRoutes = [
  endpoint({
    method: 'POST',
    path: '/messages/flags',
    summary: 'Adds a flag to messages, or removes it from them.',
    since: null,
    errors: [],
    params: {
      messages: form.json(z.array(bigId).max(limits.flagsPerRequest)),
      op: form.text(),
      flag: form.text(),
    },
    returns: { messages: z.array(z.int()), ignored_because_not_subscribed_channels: z.array(z.int()) },
    async handle({ actor, params, perform }) {
      const change = { ...readChange(params.op, params.flag), ids: params.messages };
      const { ignoredChannels } = await perform(actions.messages.changeFlags, { actor, change });
      return { messages: params.messages, ignored_because_not_subscribed_channels: ignoredChannels };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/messages/flags/narrow',
    summary: 'Adds a flag to the messages around an anchor that match a narrow, or removes it from them.',
    since: 155,
    errors: ['BAD_NARROW'],
    searches,
    params: {
      anchor: form.text(),
      anchor_date: form.text().optional(),
      include_anchor: form.bool().default(true),
      num_before: count(),
      num_after: count(),
      narrow,
      op: form.text(),
      flag: form.text(),
    },
    returns: {
      processed_count: z.int(),
      updated_count: z.int(),
      first_processed_id: z.int().nullable(),
      last_processed_id: z.int().nullable(),
      found_oldest: z.boolean(),
      found_newest: z.boolean(),
      ignored_because_not_subscribed_channels: z.array(z.int()),
    },
    async handle({ actor, params, perform }) {
      const change = readChange(params.op, params.flag);
      checkEnds(params.include_anchor, params.num_before, params.num_after);
      const range = {
        narrow: params.narrow,
        anchor: readAnchor(params.anchor, params.anchor_date),
        includeAnchor: params.include_anchor,
        ...clampSpan(params.num_before, params.num_after),
      };
      const { page, changed, ignoredChannels } = await perform(actions.messages.changeFlagsInNarrow, {
        actor,
        change,
        range,
      });
      return {
        processed_count: page.ids.length,
        updated_count: changed.length,
        first_processed_id: page.ids[0] ?? null,
        last_processed_id: page.ids.at(-1) ?? null,
        found_oldest: page.foundOldest,
        found_newest: page.foundNewest,
        ignored_because_not_subscribed_channels: ignoredChannels,
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/mark_all_as_read',
    summary: "Marks all of the caller's messages as read.",
    since: null,
    errors: [],
    params: {},
    returns: { complete: z.boolean() },
    async handle({ actor, perform }) {
      await perform(actions.messages.markAllRead, { actor });
      return { complete: true };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/mark_stream_as_read',
    summary: 'Marks all messages of a channel as read.',
    since: null,
    errors: [],
    params: { stream_id: form.id() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.messages.markChannelRead, { actor, channelId: params.stream_id });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/mark_topic_as_read',
    summary: 'Marks all messages of a topic as read.',
    since: null,
    errors: [],
    params: { stream_id: form.id(), topic_name: form.line(10_000) },
    returns: {},
    async handle({ actor, params, perform }) {
      const name = model.messages.parseTopicName(params.topic_name);
      await perform(actions.messages.markTopicRead, { actor, channelId: params.stream_id, topic: name });
      return {};
    },
  }),
];
