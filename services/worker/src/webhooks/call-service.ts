import type { webhookDeliveries } from '@parley/actions';
import type * as model from '@parley/model';
import { type WebhookPayload, webhookLimits } from '@parley/protocol';

import { AddressRefused, type Outbound, Unreachable } from '../outbound/client.ts';
import { genericBody, interfaces, slackBody } from './payload.ts';
import { readReply } from './read-reply.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * What came of asking a service: it took the message, and wants something said; it may take it later, after a time if it
 * named one; or it never will. Or it was not asked, and the bot says why.
 */
export type Outcome =
  | { kind: 'taken' | 'not asked'; reply: webhookDeliveries.WebhookReply | null }
  | { kind: 'later'; reason: string; retryAfterMs: number | null }
  | ({ kind: 'failed' } & webhookDeliveries.WebhookFailing);

/** Passes a message on to the service of a bot. */
export async function callService(
  outbound: Outbound,
  delivery: model.webhookDeliveries.WebhookDelivery,
  message: WebhookPayload['message'],
  nowMs: number,
): Promise<Outcome> {
  const { bot, service, messageId } = delivery;
  const isSlack = service.interface === interfaces.slack;
  if (isSlack && message.type === 'private') {
    const content = "I only answer in channels, because my service uses Slack's format.";
    return { kind: 'not asked', reply: { content } };
  }
  const { contentType, body } = (isSlack ? slackBody : genericBody)(delivery, message);
  try {
    const { status, header, bytes, isWhole } = await outbound.request({
      url: service.baseUrl,
      method: 'POST',
      headers: { 'content-type': contentType, 'idempotency-key': `${bot.realm.id}-${bot.id}-${messageId}` },
      body,
      bytesMax: webhookLimits.replyBytes,
    });
    const text = bytes.toString();
    if (isTaken(status) && isWhole) return readTaken(text, isSlack);
    const reason = isTaken(status)
      ? 'the service sent a reply that is too large'
      : `the service answered with status ${status}`;
    if (mayRecover(status)) {
      return { kind: 'later', reason, retryAfterMs: retryAfterMs(header('retry-after'), nowMs) };
    }
    return { kind: 'failed', reason, excerpt: text.slice(0, webhookLimits.excerptLength) };
  } catch (error) {
    if (error instanceof AddressRefused) {
      return { kind: 'failed', reason: 'this server is not allowed to reach the address of the service' };
    }
    if (!(error instanceof Unreachable)) throw error;
    return {
      kind: 'later',
      reason: 'the service could not be reached, or did not answer in time',
      retryAfterMs: null,
    };
  }
}

/** Statuses of a service that is not itself. Redirects are not followed: the message and the token are for nobody else. */
const mayRecover = (status: number) => status < 400 || status >= 500 || status === 408 || status === 429;

const isTaken = (status: number) => status >= 200 && status < 300;

function readTaken(text: string, isSlack: boolean): Outcome {
  const read = readReply(text, isSlack);
  if ('reply' in read) return { kind: 'taken', reply: read.reply };
  return { kind: 'failed', reason: read.problem, excerpt: text.slice(0, webhookLimits.excerptLength) };
}
