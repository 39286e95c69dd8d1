import { signal } from '@preact/signals';

import { entryName } from '../../base/router/entry.ts';
import { isSearch } from '../../base/router/narrow-kind.ts';
import { readNarrow, viewKeyOf } from '../../base/router/narrow.ts';

/** A search from whose results somebody has gone to a conversation, and the view to which they went. */
interface Origin {
  search: string;
  /** The entry of the browser's history in which the results were shown. */
  entry: string;
  viewKey: string;
}

/** The last of them. It leads back as long as that view is shown. */
export const searchOrigin = signal<Origin | null>(null);

/** Remembers searches from which somebody goes to a conversation. Returns what ends it. */
export function watchOrigins(): () => void {
  let shown = entryName();
  const listen = ({ oldURL, newURL }: HashChangeEvent) => {
    const entry = shown;
    shown = entryName();
    // A fragment that replaces another one names no addresses.
    if (oldURL === '' || newURL === '') return;
    const [search, next] = [new URL(oldURL).hash, new URL(newURL).hash];
    const [from, to] = [readNarrow(search), readNarrow(next)];
    if (from && to && isSearch(from) && !isSearch(to)) {
      searchOrigin.value = { search, entry, viewKey: viewKeyOf(next) };
    }
  };
  globalThis.addEventListener('hashchange', listen);
  return () => globalThis.removeEventListener('hashchange', listen);
}
