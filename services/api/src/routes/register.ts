import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import {
  ApiError,
  Client,
  capabilityNames,
  checkQueueNarrow,
  limits,
  queueTimes,
  readsZulipNames,
} from '@parley/protocol';
import { z } from 'zod';

import type { RequestContext } from '../endpoint/context.ts';
import { endpoint, form } from '../endpoint/endpoint.ts';
import { register } from '../register/register.ts';

/** Queues are kept in memory for as long as they are polled, so what they hold is bounded. */
const isShort = (value: unknown) => JSON.stringify(value).length <= limits.queueFilterLength;
const tooLong = { error: `can have at most ${limits.queueFilterLength} characters.` };
const names = form.json(z.array(z.string()).max(200).nullable().refine(isShort, tooLong));
const pairs = form.json(
  z
    .array(z.tuple([z.string(), z.string()]))
    .max(limits.narrowTerms)
    .refine(isShort, tooLong),
);

const capabilities = form.json(
  z.object({
    notification_settings_null: z.boolean(),
    ...Object.fromEntries(
      capabilityNames
        .filter((name) => name !== 'notification_settings_null')
        .map((name) => [name, z.boolean().default(false)]),
    ),
  }),
);

const queueParams = {
  apply_markdown: form.bool().default(false),
  slim_presence: form.bool().default(false),
  event_types: names.default(null),
  all_public_streams: form.bool().optional(),
  narrow: pairs.optional(),
  client_gravatar: form.bool().optional(),
  include_subscribers: form.oneOf(['true', 'false', 'partial']).default('false'),
  presence_history_limit_days: form.int(0, 10_000).optional(),
  fetch_event_types: names.optional(),
  client_capabilities: capabilities.optional(),
  queue_lifespan_secs: form.int(0, 1_000_000_000).default(0),
};

const idleSecondsOf = (seconds: number) =>
  Math.min(Math.max(seconds, queueTimes.idleSeconds), queueTimes.idleSecondsMax);

interface FilterParams {
  narrow?: [string, string][] | undefined;
  all_public_streams?: boolean | undefined;
}

/** The messages that a queue delivers: those that were asked for, or else those of the bot's default channels. */
async function messageFilterOf(
  { actor, snapshot }: RequestContext<unknown, Actor>,
  { narrow, all_public_streams }: FilterParams,
) {
  const filter = { narrow: narrow ?? [], allPublicStreams: all_public_streams ?? false };
  checkQueueNarrow(filter.narrow);
  if (actor.botType === null) return filter;
  return await snapshot(async (tx) => {
    const { eventsChannelId, allPublicChannels } = await model.bots.getBotDefaults(tx, actor);
    const channel =
      narrow === undefined && eventsChannelId !== null
        ? await model.access.findChannel(tx, actor, eventsChannelId)
        : undefined;
    const botNarrow: [string, string][] = channel ? [['stream', channel.channel.name]] : filter.narrow;
    return { narrow: botNarrow, allPublicStreams: all_public_streams ?? allPublicChannels };
  });
}

export const registerRoutes = [
  endpoint({
    method: 'POST',
    path: '/register',
    summary: 'Registers an event queue and answers with the initial state that its events continue.',
    since: null,
    errors: [],
    fromReplicas: true,
    auth: 'spectator',
    params: queueParams,
    returns: { queue_id: z.string().nullable(), last_event_id: z.int().optional() },
    async handle(context) {
      const { params } = context;
      const filter = await messageFilterOf(context, params);
      return await register(context, {
        client: Client.parse({
          ...params,
          client_gravatar: params.client_gravatar ?? !model.realms.isSpectator(context.actor),
          include_subscribers: params.include_subscribers !== 'false',
          ...params.client_capabilities,
          zulip_extra_emoji: readsZulipNames(context.client, params),
        }),
        eventTypes: params.event_types,
        fetchTypes: params.fetch_event_types === undefined ? params.event_types : params.fetch_event_types,
        ...filter,
        includeSubscribers: params.include_subscribers,
        idleSeconds: idleSecondsOf(params.queue_lifespan_secs),
        presenceHistoryDays: params.presence_history_limit_days,
      });
    },
  }),

  // A poll without a queue id registers a queue and reads no state. The proxy sends polls with one to queue nodes.
  endpoint({
    method: 'GET',
    path: '/events',
    summary: 'Waits for events of a queue; without a queue id it registers a queue and answers at once.',
    since: null,
    errors: [],
    params: {
      ...queueParams,
      dont_block: form.bool().default(false),
      last_event_id: form.text().optional(),
      queue_id: form.text().optional(),
      // Older clients send capabilities one by one.
      ...Object.fromEntries(capabilityNames.map((name) => [name, form.bool().optional()])),
    },
    aliases: { lifespan_secs: 'queue_lifespan_secs' },
    returns: { events: z.array(z.never()), queue_id: z.string(), last_event_id: z.int() },
    async handle(context) {
      const { params } = context;
      if (params.queue_id) {
        throw new ApiError(
          'BAD_REQUEST',
          'This poll reached an api node, but queue nodes answer polls. Check the rules of the proxy.',
        );
      }
      const filter = await messageFilterOf(context, params);
      const registered = await register(context, {
        client: Client.parse({
          ...params,
          client_gravatar: params.client_gravatar ?? true,
          include_subscribers: params.include_subscribers !== 'false',
          ...params.client_capabilities,
          zulip_extra_emoji: readsZulipNames(context.client, params),
        }),
        eventTypes: params.event_types,
        fetchTypes: [],
        ...filter,
        includeSubscribers: 'false',
        idleSeconds: idleSecondsOf(params.queue_lifespan_secs),
      });
      const { queue_id, last_event_id } = { last_event_id: undefined, ...registered };
      return { events: [], queue_id, last_event_id };
    },
  }),
];
