import * as actions from '@parley/actions';
import { Attachment, propagateModes } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../../endpoint/endpoint.ts';

export const editRoutes = [
  endpoint({
    method: 'PATCH',
    path: '/messages/:message_id',
    summary: "Edits a message's content, or moves it and its neighbors to another topic or channel.",
    since: null,
    errors: [
      'EXPECTATION_MISMATCH',
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    ],
    params: {
      message_id: form.bigId(),
      topic: form.text().optional(),
      propagate_mode: form.oneOf(propagateModes).default('change_one'),
      send_notification_to_old_thread: form.bool().default(false),
      send_notification_to_new_thread: form.bool().default(true),
      content: form.text().optional(),
      stream_id: form.id().optional(),
      prev_content_sha256: form.text().optional(),
    },
    returns: { detached_uploads: z.array(Attachment) },
    async handle({ actor, params, perform, alertWords }) {
      const { topic, content, stream_id, prev_content_sha256 } = params;
      const edit = {
        messageId: params.message_id,
        propagateMode: params.propagate_mode,
        notifiesOldThread: params.send_notification_to_old_thread,
        notifiesNewThread: params.send_notification_to_new_thread,
        ...(topic !== undefined && { topic }),
        ...(content !== undefined && { content }),
        ...(stream_id !== undefined && { channelId: stream_id }),
        ...(prev_content_sha256 !== undefined && { prevContentSha256: prev_content_sha256 }),
      };
      const { detached } = await perform(actions.messages.edit, { actor, alertWords, ...edit });
      return { detached_uploads: detached };
    },
  }),
];
