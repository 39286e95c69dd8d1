import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { getNavigationView, lockNavigationViews } from './lock.ts';

/**
 * Removes a view from the actor's navigation views.
 *
 * @throws NOT_FOUND for a view that does not exist
 */
export async function remove(
  tx: Tx,
  { actor, fragment }: { actor: Actor; fragment: string },
): Promise<ActionResult> {
  const { id } = getNavigationView(await lockNavigationViews(tx, actor), fragment);
  await tx.delete(tables.navigationViews).where(hasId(tables.navigationViews, actor.realm, id));
  return { events: [to.user(actor, events.navigationView.remove({ fragment }))] };
}
remove.actionName = 'navigationViews.remove' as const;
