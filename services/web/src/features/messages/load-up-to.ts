import type { MessageList } from '@parley/client';

interface Loaded extends Pick<
  MessageList,
  'ids' | 'hasOldest' | 'hasNewest' | 'loading' | 'error' | 'loadOlder' | 'loadNewer'
> {
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Loads what comes before and after what is loaded, by turns, until there are so many messages or no more.
 * @throws what the list says went wrong
 */
export async function loadUpTo(list: Loaded, count: number): Promise<void> {
  for (let isOlder = true; list.ids.length < count && !(list.hasOldest && list.hasNewest);) {
    const before = list.ids.length;
    const isOwn = list.loading === null;
    if (!isOwn) await nextChange(list);
    else if (isOlder ? !list.hasOldest : list.hasNewest) await list.loadOlder();
    else await list.loadNewer();
    if (list.error !== null) throw list.error;
    // A list that does not know where it begins cannot be continued.
    if (isOwn && list.ids.length === before) return;
    isOlder = !isOlder;
  }
}

const nextChange = ({ subscribe }: Loaded): Promise<void> =>
  new Promise((resolve) => {
    const end = subscribe(() => {
      end();
      resolve();
    });
  });
