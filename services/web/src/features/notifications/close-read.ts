import { useSignalEffect } from '@preact/signals';

import { peek, slice } from '../../data/live/state.ts';
import { dataOf } from './describe.ts';
import { workerRegistration } from './push-service.ts';

/** Removes notifications of messages that are read, here or elsewhere, while a page is open. */
export function useClosedWhenRead(): void {
  useSignalEffect(() => {
    const { at } = slice('unread');
    const unread = new Set([...at.values()].flatMap((ids) => [...ids]));
    void closeOthers(unread, peek().maxMessageId ?? 0).catch(() => undefined);
  });
}

/** What is newer than the newest message that the page knows was pushed before the page has heard of it. */
async function closeOthers(unread: ReadonlySet<number>, newest: number): Promise<void> {
  const shown = (await (await workerRegistration())?.getNotifications()) ?? [];
  for (const notification of shown) {
    const data = dataOf(notification);
    if (data && data.id <= newest && !unread.has(data.id)) notification.close();
  }
}
