import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, limits, to } from '@parley/protocol';

import { lockNavigationViews, parseViewName, viewExists } from './lock.ts';

/**
 * Adds a view to the actor's navigation views.
 *
 * @throws BAD_REQUEST for a name that the view cannot have, a fragment or name that another view has, or too many views
 */
export async function create(
  tx: Tx,
  { actor, ...input }: { actor: Actor; fragment: string; isPinned: boolean; name?: string | undefined },
): Promise<ActionResult> {
  const views = await lockNavigationViews(tx, actor);
  const name = parseViewName(views, input.fragment, input.name);
  if (views.some(({ fragment }) => fragment === input.fragment)) throw viewExists();
  if (views.length >= limits.navigationViewsPerUser) {
    throw new ApiError(
      'BAD_REQUEST',
      `You can have at most ${limits.navigationViewsPerUser} navigation views.`,
    );
  }
  const row = {
    realmId: actor.realm.id,
    userId: actor.id,
    fragment: input.fragment,
    isPinned: input.isPinned,
    name,
  };
  const [view] = await tx.insert(tables.navigationViews).values(row).returning();
  if (!view) throw new Error('An insert returned no row.');
  const event = events.navigationView.add({
    navigation_view: model.navigationViews.presentNavigationView(view),
  });
  return { events: [to.user(actor, event)] };
}
create.actionName = 'navigationViews.create' as const;
