import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { dueJobs } from '../due-jobs.ts';
import { parseDueTime } from '../due-time.ts';
import { lockSchedule } from '../lock.ts';
import type { Recipient } from '../messages/index.ts';
import { compose, setAttachments } from './compose.ts';
import { assertScheduleWithinLimits } from './limits.ts';

export interface NewScheduledMessage {
  recipient: Recipient;
  content: string;
  /** Seconds since 1970. */
  dueAt: number;
  client: string;
  readBySender: boolean;
}

/**
 * Schedules a message of the actor, which is checked as if it were sent now.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that does not exist
 * @throws BAD_REQUEST for a time that is not in the future, where the actor may not write, for an invalid text or
 * recipient, or too many scheduled messages
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the actor may not use
 */
export async function create(
  tx: Tx,
  {
    actor,
    dueAt: seconds,
    readBySender,
    nowMs,
    ...message
  }: { actor: Actor; nowMs: number } & NewScheduledMessage,
): Promise<ActionResult & { id: number }> {
  const dueAt = parseDueTime(seconds, nowMs);
  await lockSchedule(tx, actor);
  const { attachments, ...composed } = await compose(tx, actor, message);
  const [row] = await tx
    .insert(tables.scheduledMessages)
    .values({
      realmId: actor.realm.id,
      userId: actor.id,
      ...composed,
      client: message.client,
      readBySender,
      dueAt,
    })
    .returning();
  if (!row) throw new Error('An insert returned no row.');
  await setAttachments(tx, actor, row.id, attachments);
  await assertScheduleWithinLimits(tx, actor);
  const event = events.scheduledMessages.add({
    scheduled_messages: [model.scheduledMessages.presentScheduledMessage(row)],
  });
  return {
    events: [to.user(actor, event)],

    jobs: dueJobs(actor, dueAt.getTime(), nowMs),
    id: row.id,
  };
}
create.actionName = 'scheduledMessages.create' as const;
