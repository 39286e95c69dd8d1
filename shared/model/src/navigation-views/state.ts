import { type NavigationViewRow, type Tx, tables } from '@parley/db';
import type { NavigationView } from '@parley/protocol';
import { asc } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';

export const presentNavigationView = ({ fragment, isPinned, name }: NavigationViewRow): NavigationView => ({
  fragment,
  is_pinned: isPinned,
  ...(name !== null && { name }),
});

/** Returns `navigation_views` of POST /register: those of a user, in the order of their creation. */
export async function navigationViewsState(
  tx: Tx,
  user: Pick<Actor, 'id' | 'realm'>,
): Promise<NavigationView[]> {
  const { navigationViews } = tables;
  const rows = await tx
    .select()
    .from(navigationViews)
    .where(isOfUser(navigationViews, user))
    .orderBy(asc(navigationViews.id));
  return rows.map(presentNavigationView);
}
