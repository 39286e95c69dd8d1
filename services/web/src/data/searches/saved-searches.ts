import { type Narrow, narrowFragment } from '../../base/router/narrow.ts';
import { attempt } from '../actions/verbs.ts';
import { peek, slice } from '../live/state.ts';
import { connection } from '../session/session.ts';

/** The server names a view by its fragment, without the sign that begins it. */
const viewOf = (narrow: Narrow) => narrowFragment({ ...narrow, near: null }).replace(/^#/, '');
/** Names are no longer than this. */
const nameMax = 100;

/** Returns whether a search is among the views that the reader keeps on the server. */
export const isSaved = (narrow: Narrow): boolean => slice('views').has(viewOf(narrow));

/** Returns the searches that the reader keeps, as fragments. */
export const savedSearches = (): string[] =>
  [...peek().views.keys()].filter((view) => /^narrow\/.*\bsearch\//.test(view)).map((view) => `#${view}`);

/** Keeps a search as a view, in all clients of the reader; or keeps it no more. */
export function toggleSaved(narrow: Narrow, name: string): void {
  const fragment = viewOf(narrow);
  const fields = { fragment, is_pinned: true, name: [...name].slice(0, nameMax).join('') };
  attempt(
    peek().views.has(fragment)
      ? connection().delete(`/navigation_views/${encodeURIComponent(fragment)}`)
      : connection().post('/navigation_views', fields),
  );
}
