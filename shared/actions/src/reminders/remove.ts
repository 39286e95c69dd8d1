import { type Tx, tables } from '@parley/db';
import { type Actor, isBigId, isOfUser } from '@parley/model';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockSchedule } from '../lock.ts';

/**
 * Deletes a reminder of the actor.
 *
 * @throws BAD_REQUEST for a reminder that does not exist
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  const { reminders } = tables;
  await lockSchedule(tx, actor);
  const isOwn = and(isOfUser(reminders, actor), eq(reminders.id, id));
  const removed = isBigId(id) ? await tx.delete(reminders).where(isOwn).returning({ id: reminders.id }) : [];
  if (removed.length === 0) throw ApiError.missing('This reminder does not exist.');
  return { events: [to.user(actor, events.reminders.remove({ reminder_id: id }))] };
}
remove.actionName = 'reminders.remove' as const;
