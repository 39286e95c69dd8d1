import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser, parseTextField } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, limits, to } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { dueJobs } from '../due-jobs.ts';
import { parseDueTime } from '../due-time.ts';
import { lockSchedule } from '../lock.ts';
import { reminderText } from './text.ts';

const { reminders } = tables;

export interface NewReminder {
  messageId: number;
  /** Seconds since 1970. */
  dueAt: number;
  note: string;
}

/**
 * Lets the actor be reminded of a message. What the message says is read when the reminder is due.
 *
 * @throws BAD_REQUEST for a message that the actor may not read, a time that is not in the future, a note that is too
 * long, or too many reminders
 */
export async function create(
  tx: Tx,
  { actor, messageId, dueAt: seconds, note: rawNote, nowMs }: { actor: Actor; nowMs: number } & NewReminder,
): Promise<ActionResult & { id: number }> {
  const dueAt = parseDueTime(seconds, nowMs);
  const note = parseTextField('note', rawNote, limits.reminderNoteLength, { mayBeEmpty: true });
  const access = await model.access.getMessage(tx, actor, messageId);
  await lockSchedule(tx, actor);
  const content = await reminderText(tx, actor, access, note);
  const renderedContent = await model.texts.renderText(tx, actor, content);
  const [row] = await tx
    .insert(reminders)
    .values({ realmId: actor.realm.id, userId: actor.id, messageId, note, content, renderedContent, dueAt })
    .returning();
  if (!row) throw new Error('An insert returned no row.');
  await assertRemindersWithinLimits(tx, actor);
  return {
    events: [to.user(actor, events.reminders.add({ reminders: [model.reminders.presentReminder(row)] }))],

    jobs: dueJobs(actor, dueAt.getTime(), nowMs),
    id: row.id,
  };
}
create.actionName = 'reminders.create' as const;

async function assertRemindersWithinLimits(tx: Tx, actor: Actor): Promise<void> {
  const { remindersPerUser, reminderBytesPerUser } = limits;
  const [total] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(octet_length(content) + octet_length(rendered_content)), 0)::int`,
    })
    .from(reminders)
    .where(isOfUser(reminders, actor));
  if (!total || total.count > remindersPerUser) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${remindersPerUser} reminders.`);
  }
  if (total.bytes > reminderBytesPerUser) {
    throw new ApiError(
      'BAD_REQUEST',
      `Your reminders can have at most ${reminderBytesPerUser} bytes in total.`,
    );
  }
}
