import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { lockSavedSnippet } from './lock.ts';

/**
 * Deletes a saved snippet of the actor.
 *
 * @throws BAD_REQUEST for a snippet that does not exist
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  await lockSavedSnippet(tx, actor, id);
  await tx.delete(tables.savedSnippets).where(hasId(tables.savedSnippets, actor.realm, id));
  const event = events.savedSnippets.remove({ saved_snippet_id: id });
  return { events: [to.user(actor, event)] };
}
remove.actionName = 'savedSnippets.remove' as const;
