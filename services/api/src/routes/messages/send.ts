import * as actions from '@parley/actions';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

import type { RequestContext } from '../../endpoint/context.ts';
import { endpoint, form } from '../../endpoint/endpoint.ts';
import { isInteractive } from './interactive.ts';
import { type MessageType, isChannelType, readRecipient } from './recipient.ts';

/**
 * The channel that a bot sends to if a message names none.
 * @throws REQUEST_VARIABLE_MISSING for anyone without such a channel
 */
async function getDefaultChannel(
  type: MessageType,
  { actor, snapshot }: Pick<RequestContext<unknown, Actor>, 'actor' | 'snapshot'>,
): Promise<string> {
  if (actor.botType !== null && isChannelType(type)) {
    const { sendingChannelId } = await snapshot((tx) => model.bots.getBotDefaults(tx, actor));
    if (sendingChannelId !== null) return String(sendingChannelId);
  }
  throw new ApiError('REQUEST_VARIABLE_MISSING', "The parameter 'to' is missing.", { var_name: 'to' });
}

/** @throws BAD_REQUEST for the time of a message that is not forged, or one that is yet to come */
function readPastTime(time: number | undefined, isForged: boolean, nowMs: number): number | undefined {
  if (time === undefined) return undefined;
  if (!isForged)
    throw new ApiError(
      'BAD_REQUEST',
      "Only a message that is sent in another user's name can have a time of its own.",
    );
  if (time * 1000 > nowMs) throw new ApiError('BAD_REQUEST', "'time' is too large.");
  return time;
}

export const sendRoute = endpoint({
  method: 'POST',
  path: '/messages',
  summary: 'Sends a message to a channel or to a direct message conversation.',
  since: null,
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  auth: 'cached',
  forWebhookBots: true,
  params: {
    type: form.oneOf(['direct', 'private', 'channel', 'stream']),
    /** Without it, a bot sends to its default channel. */
    to: form.text().optional(),
    content: form.text(),
    topic: form.text().optional(),
    queue_id: form.line(limits.localIdLength).optional(),
    local_id: form.line(limits.localIdLength).optional(),
    read_by_sender: form.bool().optional(),
    /** JSON that describes a poll or another widget. */
    widget_content: form.line(limits.messageLength).optional(),
    /** Of programs that mirror another service: the message is somebody else’s, or has a time of its own. */
    forged: form.oneOf(['yes', 'true', 'no', 'false']).optional(),
    sender: form.line(254).optional(),
    time: form.json(z.number().min(0).max(limits.timestampMax)).optional(),
  },
  returns: { id: z.int(), automatic_new_visibility_policy: z.int().optional() },
  async handle({ actor, params, client, clock, sendMessage, snapshot }) {
    const { queue_id, local_id, read_by_sender, widget_content } = params;
    if (queue_id !== undefined && local_id === undefined) {
      throw new ApiError('REQUEST_VARIABLE_MISSING', "The parameter 'local_id' is missing.", {
        var_name: 'local_id',
      });
    }
    const to = params.to ?? (await getDefaultChannel(params.type, { actor, snapshot }));
    const recipient = readRecipient(params.type, to, params.topic);
    const forgery = { client, sender: params.sender, recipient };
    const isForged = params.forged === 'yes' || params.forged === 'true';
    const mirroredSenderId =
      isForged || params.sender !== undefined
        ? await snapshot((tx) => actions.messages.getMirroredSenderId(tx, actor, forgery))
        : undefined;
    const text = {
      content: params.content,
      widget: widget_content,
      client,
      readBySender: read_by_sender ?? isInteractive(client),
      echo:
        queue_id !== undefined && local_id !== undefined ? { queueId: queue_id, localId: local_id } : null,
      sentAt: readPastTime(params.time, isForged, clock.nowMs()),
    };
    const { messageId, newPolicy } = await sendMessage(recipient, text, mirroredSenderId);
    return { id: messageId, ...(newPolicy !== null && { automatic_new_visibility_policy: newPolicy }) };
  },
});
