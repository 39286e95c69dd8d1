import { type Tx, tables } from '@parley/db';
import { type Actor, type SweptRealms, hasId, isSwept } from '@parley/model';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';
import { and, lt } from 'drizzle-orm';

import { lockScheduledMessage } from './lock.ts';

const { scheduledMessages } = tables;

/**
 * Deletes a scheduled message of the actor.
 *
 * @throws BAD_REQUEST for a message that does not exist, or was sent
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  const { sentAt } = await lockScheduledMessage(tx, actor, id);
  if (sentAt !== null) throw ApiError.missing('This scheduled message does not exist.');
  await tx.delete(scheduledMessages).where(hasId(scheduledMessages, actor.realm, id));
  const event = events.scheduledMessages.remove({ scheduled_message_id: id });
  return { events: [to.user(actor, event)] };
}
remove.actionName = 'scheduledMessages.remove' as const;

/** Forgets scheduled messages that were sent before a time. */
export async function removeSent(tx: Tx, before: Date, realmIds: SweptRealms): Promise<void> {
  await tx
    .delete(scheduledMessages)
    .where(and(lt(scheduledMessages.sentAt, before), isSwept(scheduledMessages.realmId, realmIds)));
}
