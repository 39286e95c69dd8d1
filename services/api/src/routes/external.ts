import type * as actions from '@parley/actions';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, botTypes, limits } from '@parley/protocol';
import { z } from 'zod';

import type { RequestContext } from '../endpoint/context.ts';
import { endpoint, form } from '../endpoint/endpoint.ts';
import type { RawDelivery } from '../http/request.ts';
import { isChosen } from '../integrations/events.ts';
import { integrations } from '../integrations/index.ts';
import type { Integration, Notice, Unsupported } from '../integrations/integration.ts';
import { readPayload } from '../integrations/read-payload.ts';

const patterns = form.json(z.array(z.string().max(100)).max(100)).optional();

/**
 * What a product has sent, as a message.
 *
 * @throws ANOMALOUS_WEBHOOK_PAYLOAD INVALID_JSON MISSING_HTTP_EVENT_HEADER
 */
function read(
  { name, displayName, read: readDelivery }: Integration,
  delivery: RawDelivery,
  template: string | undefined,
): Notice | Unsupported {
  const payload = readPayload(delivery);
  try {
    return readDelivery({ payload, header: delivery.header, template });
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const msg = `This payload cannot be read. Was it sent by ${displayName}?`;
    throw new ApiError('ANOMALOUS_WEBHOOK_PAYLOAD', msg, { webhook_name: name });
  }
}

/** @throws NOT_FOUND */
function getIntegration(name: string): Integration {
  const found = integrations.find((integration) => integration.name === name);
  if (!found) throw new ApiError('NOT_FOUND', 'This integration does not exist.');
  return found;
}

/**
 * Refuses what was not signed with the secret of the bot, if its owner has given it one.
 *
 * @throws UNAUTHORIZED
 */
async function assertSigned(
  { displayName, signature }: Integration,
  { bytes, target, header }: RawDelivery,
  {
    actor,
    realm,
    clock,
    snapshot,
  }: Pick<RequestContext<unknown, Actor>, 'actor' | 'realm' | 'clock' | 'snapshot'>,
): Promise<void> {
  if (actor.botType !== botTypes.incomingWebhook) return;
  const secret = await snapshot((tx) => model.bots.findIntegrationSecret(tx, actor));
  if (secret === null) return;
  const signed = { bytes, header, url: `${realm.url}${target}`, nowMs: clock.nowMs() };
  if (!signature)
    throw new ApiError('UNAUTHORIZED', `This bot has a secret, and ${displayName} does not sign.`);
  if (!signature.isBy(secret, signed))
    throw new ApiError('UNAUTHORIZED', 'The signature of this request is missing or wrong.');
}

/** Topics may hold no control characters, and what other products send is not refused because of one. */
const printable = (topic: string) => topic.replaceAll(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu, ' ');

/** A channel by id or name; without one, the owner of the bot, or an account that sends for itself. */
function recipientOf(actor: Actor, channel: string | undefined, topic: string): actions.messages.Recipient {
  if (channel === undefined) return { type: 'direct', users: [actor.botOwnerId ?? actor.id] };
  const isId = /^\d{1,10}$/.test(channel);
  return { type: 'channel', channel: isId ? Number(channel) : channel, topic: printable(topic) };
}

export const externalRoutes = [
  endpoint({
    method: 'GET',
    path: '/external/:integration',
    summary: 'Says that an address serves. Products ask before they send to it.',
    since: null,
    errors: ['NOT_FOUND'],
    auth: 'key',
    forWebhookBots: true,
    params: { integration: form.line(100) },
    returns: {},
    handle({ params }) {
      getIntegration(params.integration);
      return Promise.resolve({});
    },
  }),

  endpoint({
    method: 'POST',
    path: '/external/:integration',
    summary: 'Sends what another product tells of as a message of an incoming-webhook bot.',
    since: null,
    errors: [
      'NOT_FOUND',
      'INVALID_JSON',
      'ANOMALOUS_WEBHOOK_PAYLOAD',
      'MISSING_HTTP_EVENT_HEADER',
      'STREAM_DOES_NOT_EXIST',
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    ],
    auth: 'key',
    forWebhookBots: true,
    takesBody: true,
    params: {
      integration: form.line(100),
      stream: form.line(limits.localIdLength).optional(),
      topic: form.text().optional(),
      /** Types of events to tell of, in which `*` stands for any characters. */
      only_events: patterns,
      exclude_events: patterns,
      /** How the integration of JSON makes a message of its fields, in Mustache. */
      template: form.text().optional(),
    },
    returns: {
      code: z.literal('UNSUPPORTED_WEBHOOK_EVENT_TYPE').optional(),
      webhook_name: z.string().optional(),
      event_type: z.string().optional(),
      /** What programs that are written for Slack read. */
      ok: z.literal(true).optional(),
    },
    besides: ({ integration: name }, refusal) =>
      integrations.find((integration) => integration.name === name)?.besides?.(refusal) ?? {},
    async handle(context) {
      const { actor, params, delivery, sendMessage } = context;
      const integration = getIntegration(params.integration);
      if (!delivery) throw new Error('The endpoint takes a body, and has none.');
      await assertSigned(integration, delivery, context);
      const notice = read(integration, delivery, params.template);
      if ('unsupported' in notice) {
        return {
          code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
          webhook_name: integration.name,
          event_type: notice.unsupported,
        };
      }
      if (!isChosen(notice.event, { only: params.only_events, exclude: params.exclude_events })) return {};
      await sendMessage(recipientOf(actor, params.stream, params.topic ?? notice.topic), {
        content: notice.content,
        client: integration.displayName,
        readBySender: false,
        echo: null,
      });
      return {};
    },
  }),
];
