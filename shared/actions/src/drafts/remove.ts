import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import { type ActionResult, type PendingEvent, events, to } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { getDraft, lockDrafts } from './lock.ts';

/**
 * Deletes a draft of the actor.
 *
 * @throws BAD_REQUEST for an actor whose clients keep their drafts to themselves, or a draft that does not exist
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  await lockDrafts(tx, actor);
  await getDraft(tx, actor, id);
  await tx.delete(tables.drafts).where(eq(tables.drafts.id, id));
  return { events: [to.user(actor, events.drafts.remove({ draft_id: id }))] };
}
remove.actionName = 'drafts.remove' as const;

/** Deletes all drafts of a user, and returns an event about each. The caller has locked the user. */
export async function removeAll(tx: Tx, user: { id: number }): Promise<PendingEvent[]> {
  const { drafts } = tables;
  const rows = await tx.delete(drafts).where(eq(drafts.userId, user.id)).returning({ id: drafts.id });
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
  return ids.map((id) => to.user(user, events.drafts.remove({ draft_id: id })));
}
