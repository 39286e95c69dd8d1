import { type NavigationViewRow, type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import { ApiError, builtInViews } from '@parley/protocol';
import { asc } from 'drizzle-orm';

import { lockUser } from '../lock.ts';

/** Locks the actor's navigation views until the end of the transaction, and reads them. */
export async function lockNavigationViews(tx: Tx, actor: Actor): Promise<NavigationViewRow[]> {
  await lockUser(tx, actor);
  const { navigationViews } = tables;
  return await tx
    .select()
    .from(navigationViews)
    .where(isOfUser(navigationViews, actor))
    .orderBy(asc(navigationViews.id));
}

/** @throws NOT_FOUND if none of the views has the fragment */
export function getNavigationView(views: readonly NavigationViewRow[], fragment: string): NavigationViewRow {
  const view = views.find((one) => one.fragment === fragment);
  if (!view) throw new ApiError('NOT_FOUND', 'This navigation view does not exist.');
  return view;
}

/**
 * Returns the name of a view as it is stored; null for a view that clients have by themselves.
 *
 * @throws BAD_REQUEST for the name of a built-in view, a missing or empty name of another, or one that a view has
 */
export function parseViewName(
  views: readonly NavigationViewRow[],
  fragment: string,
  raw: string | undefined,
): string | null {
  if (builtInViews.has(fragment)) {
    if (raw === undefined) return null;
    throw new ApiError('BAD_REQUEST', 'A built-in view cannot be renamed.');
  }
  const name = raw?.trim() ?? '';
  if (name === '') throw new ApiError('BAD_REQUEST', 'Enter a name for this view.');
  if (views.some((view) => view.name === name)) throw viewExists();
  return name;
}

export const viewExists = () => new ApiError('BAD_REQUEST', 'This navigation view already exists.');
