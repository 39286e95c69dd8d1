import { useSignalEffect } from '@preact/signals';

import { slice } from '../../data/live/state.ts';
import { dataOf } from './describe.ts';
import { workerRegistration } from './push-service.ts';

/** Removes notifications of messages that are read, here or elsewhere, while a page is open. */
export function useClosedWhenRead(): void {
  useSignalEffect(() => {
    const { at } = slice('unread');
    const unread = new Set([...at.values()].flatMap((ids) => [...ids]));
    void closeOthers(unread).catch(() => undefined);
  });
}

async function closeOthers(unread: ReadonlySet<number>): Promise<void> {
  const shown = (await (await workerRegistration())?.getNotifications()) ?? [];
  for (const notification of shown) {
    const data = dataOf(notification);
    if (data && !unread.has(data.id)) notification.close();
  }
}
