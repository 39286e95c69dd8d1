import { type Tx, tables } from '@parley/db';
import { type Actor, hasId, isOfUser } from '@parley/model';
import { type ActionResult, type PendingEvent, events, to } from '@parley/protocol';

import { getDraft, lockDrafts } from './lock.ts';

/**
 * Deletes a draft of the actor.
 *
 * @throws BAD_REQUEST for an actor whose clients keep their drafts to themselves, or a draft that does not exist
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  await lockDrafts(tx, actor);
  await getDraft(tx, actor, id);
  await tx.delete(tables.drafts).where(hasId(tables.drafts, actor.realm, id));
  return { events: [to.user(actor, events.drafts.remove({ draft_id: id }))] };
}
remove.actionName = 'drafts.remove' as const;

/** Deletes all drafts of a user, and returns an event about each. The caller has locked the user. */
export async function removeAll(tx: Tx, user: Pick<Actor, 'id' | 'realm'>): Promise<PendingEvent[]> {
  const { drafts } = tables;
  const rows = await tx.delete(drafts).where(isOfUser(drafts, user)).returning({ id: drafts.id });
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
  return ids.map((id) => to.user(user, events.drafts.remove({ draft_id: id })));
}
