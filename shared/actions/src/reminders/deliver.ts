import { type ReminderRow, type Tx, tables } from '@parley/db';
import { type Realm, actorOf, isAmong, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type PendingEvent, events, to } from '@parley/protocol';
import { and, asc, eq, lte } from 'drizzle-orm';

import { lockSchedule } from '../lock.ts';
import { noticeEvents } from '../messages/index.ts';
import { dueReminderText, reminderText } from './text.ts';

const { reminders } = tables;

export interface DeliveredReminders extends ActionResult {
  reminded: number;
}

/**
 * Reminds a user of the messages whose reminders are due: the notification bot writes what each says now, as far as the
 * user may still read it. The bot's message and the end of the reminder are one transaction.
 */
export async function deliver(
  tx: Tx,
  { realm, userId, now, max }: { realm: Realm; userId: number; now: Date; max: number },
): Promise<DeliveredReminders> {
  await lockSchedule(tx, { id: userId, realm });
  const due = await tx
    .select()
    .from(reminders)
    .where(and(isOfUser(reminders, { id: userId, realm }), lte(reminders.dueAt, now)))
    .orderBy(asc(reminders.dueAt), asc(reminders.id))
    .limit(max);
  const pending: PendingEvent[] = [];
  for (const row of due) {
    pending.push(
      ...(await remind(tx, realm, row)),
      to.user({ id: userId }, events.reminders.remove({ reminder_id: row.id })),
    );
  }
  const ids = due.map(({ id }) => id);
  if (ids.length > 0)
    await tx.delete(reminders).where(and(eq(reminders.realmId, realm.id), isAmong(reminders.id, ids)));
  return { events: pending, reminded: ids.length };
}
deliver.actionName = 'reminders.deliver' as const;

async function remind(
  tx: Tx,
  realm: Realm,
  { userId, messageId, note }: ReminderRow,
): Promise<PendingEvent[]> {
  const [row] = await model.users.listUsers(tx, realm.id, [userId]);
  if (!row) throw new Error(`User ${userId} has a reminder and does not exist.`);
  const user = actorOf(row, realm);
  const access = await model.access.findMessage(tx, user, messageId);
  const place = { users: [userId] };
  try {
    const text = await dueReminderText(tx, user, access, note);
    return await noticeEvents(tx, realm, place, () => text);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'SERVER_NOT_READY') throw error;
    // The message can no longer be rendered.
    const text = await reminderText(tx, user, access, note);
    return await noticeEvents(tx, realm, place, () => text);
  }
}
