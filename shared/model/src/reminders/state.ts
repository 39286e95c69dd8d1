import { type ReminderRow, type Tx, tables } from '@parley/db';
import type { Reminder } from '@parley/protocol';
import { asc } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';
import { toSeconds } from '../time.ts';

export const presentReminder = (row: ReminderRow): Reminder => ({
  reminder_id: row.id,
  type: 'private',
  to: [row.userId],
  content: row.content,
  rendered_content: row.renderedContent,
  scheduled_delivery_timestamp: toSeconds(row.dueAt),
  // Whatever becomes of its message, a reminder is sent.
  failed: false,
  reminder_target_message_id: row.messageId,
});

/** Returns a user's reminders, in the order in which they are due. */
export async function remindersState(tx: Tx, user: Pick<Actor, 'id' | 'realm'>): Promise<Reminder[]> {
  const { reminders } = tables;
  const rows = await tx
    .select()
    .from(reminders)
    .where(isOfUser(reminders, user))
    .orderBy(asc(reminders.dueAt), asc(reminders.id));
  return rows.map(presentReminder);
}
