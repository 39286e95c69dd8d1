import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { getNavigationView, lockNavigationViews, parseViewName } from './lock.ts';

export interface ViewEdit {
  fragment: string;
  isPinned?: boolean | undefined;
  name?: string | undefined;
}

/**
 * Pins, hides or renames one of the actor's navigation views.
 *
 * @throws NOT_FOUND for a view that does not exist
 * @throws BAD_REQUEST for a name that the view cannot have, or that a view has
 */
export async function edit(
  tx: Tx,
  { actor, fragment, ...input }: { actor: Actor } & ViewEdit,
): Promise<ActionResult> {
  const views = await lockNavigationViews(tx, actor);
  const name = input.name === undefined ? undefined : parseViewName(views, fragment, input.name);
  const before = getNavigationView(views, fragment);
  const { isPinned = before.isPinned } = input;
  const data = {
    ...(isPinned !== before.isPinned && { is_pinned: isPinned }),
    ...(typeof name === 'string' && { name }),
  };
  if (Object.keys(data).length === 0) return { events: [] };
  const { navigationViews } = tables;
  await tx
    .update(navigationViews)
    .set({ isPinned, name: name ?? before.name })
    .where(hasId(navigationViews, actor.realm, before.id));
  return { events: [to.user(actor, events.navigationView.update({ fragment, data }))] };
}
edit.actionName = 'navigationViews.edit' as const;
