import { type ScheduledMessageRow, type Tx, tables } from '@parley/db';
import { type Actor, isBigId, isOfUser } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockSchedule } from '../lock.ts';

/**
 * Locks one of the actor's scheduled messages until the end of the transaction, and reads it. It may have been sent.
 *
 * @throws BAD_REQUEST if there is none
 */
export async function lockScheduledMessage(tx: Tx, actor: Actor, id: number): Promise<ScheduledMessageRow> {
  const { scheduledMessages } = tables;
  await lockSchedule(tx, actor);
  const isOwn = and(isOfUser(scheduledMessages, actor), eq(scheduledMessages.id, id));
  const [row] = isBigId(id) ? await tx.select().from(scheduledMessages).where(isOwn) : [];
  if (!row) throw ApiError.missing('This scheduled message does not exist.');
  return row;
}
