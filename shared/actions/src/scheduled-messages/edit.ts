import { type ScheduledMessageRow, type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';

import { dueJobs } from '../due-jobs.ts';
import { parseDueTime } from '../due-time.ts';
import type { Recipient } from '../messages/index.ts';
import { compose, setAttachments } from './compose.ts';
import { assertScheduleWithinLimits } from './limits.ts';
import { lockScheduledMessage } from './lock.ts';

export interface ScheduledMessageEdit {
  id: number;
  type?: 'stream' | 'private' | undefined;
  /** The channel's id, or those of users. */
  recipients?: number[] | undefined;
  topic?: string | undefined;
  content?: string | undefined;
  /** Seconds since 1970. */
  dueAt?: number | undefined;
}

/**
 * Changes a scheduled message of the actor. What is not given stays. One that could not be sent is to be sent again, and
 * needs a time. If anything but the time changes, the message is checked as if it were sent now.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that does not exist
 * @throws BAD_REQUEST for a message that does not exist or was sent, a time that is not in the future, a new type without
 * what it needs, where the actor may not write, for an invalid text or recipient, or messages that are too long together
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the actor may not use
 */
export async function edit(
  tx: Tx,
  { actor, nowMs, ...input }: { actor: Actor; nowMs: number } & ScheduledMessageEdit,
): Promise<ActionResult> {
  const { scheduledMessages } = tables;
  const { type, recipients, topic, content = null, dueAt } = input;
  if ([type, recipients, topic, dueAt].every((one) => one === undefined) && content === null) {
    throw new ApiError('BAD_REQUEST', 'There is nothing to change.');
  }
  const before = await lockScheduledMessage(tx, actor, input.id);
  if (before.sentAt !== null) throw new ApiError('BAD_REQUEST', 'This message has already been sent.');
  const due = dueAt === undefined ? before.dueAt : parseDueTime(dueAt, nowMs);
  // A failed one without a new time stays in the past.
  if (before.failureMessage !== null && dueAt === undefined) parseDueTime(0, nowMs);

  const isRewritten = [type, recipients, topic].some((one) => one !== undefined) || content !== null;
  const recipient = recipientOf(before, input);
  const { attachments, ...composed } = isRewritten
    ? await compose(tx, actor, { recipient, content: content ?? before.content, client: before.client })
    : { attachments: null };
  const [row] = await tx
    .update(scheduledMessages)
    .set({ ...composed, dueAt: due, failureMessage: null })
    .where(hasId(scheduledMessages, actor.realm, before.id))
    .returning();
  if (!row) throw new Error('An update returned no row.');
  if (attachments) await setAttachments(tx, actor, row.id, attachments);
  await assertScheduleWithinLimits(tx, actor);
  const event = events.scheduledMessages.update({
    scheduled_message: model.scheduledMessages.presentScheduledMessage(row),
  });
  return {
    events: [to.user(actor, event)],

    jobs: dueJobs(actor, due.getTime(), nowMs),
  };
}
edit.actionName = 'scheduledMessages.edit' as const;

/**
 * Where the message goes after an edit.
 *
 * @throws BAD_REQUEST for a new type without recipients, or a channel without a topic
 */
function recipientOf(before: ScheduledMessageRow, input: ScheduledMessageEdit): Recipient {
  const { type = before.type, recipients, topic } = input;
  const isNewType = type !== before.type;
  if (isNewType && recipients === undefined) {
    throw new ApiError('BAD_REQUEST', "A new type needs new recipients: send 'to' as well.");
  }
  const users = recipients ?? before.recipients;
  if (type === 'private') return { type: 'direct', users };
  if (isNewType && topic === undefined) {
    throw new ApiError('BAD_REQUEST', "A message to a channel needs a topic: send 'topic' as well.");
  }
  const [channel, ...more] = users;
  if (channel === undefined || more.length > 0) {
    throw new ApiError('BAD_REQUEST', 'Name exactly one channel.');
  }
  return { type: 'channel', channel, topic: topic ?? before.topic };
}
