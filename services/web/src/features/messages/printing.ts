import type { MessageList } from '@parley/client';
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { flushSync } from 'preact/compat';
import { useEffect } from 'preact/hooks';

import { useCommand } from '../../base/keys/commands.ts';
import { showError, showToast } from '../../base/toasts/toasts.tsx';
import { messageText } from '../../strings/messages.ts';
import { loadUpTo } from './load-up-to.ts';

/** As many messages are loaded to be printed. */
const printedMax = 1000;

/** The most frames until what was loaded is shown: while somebody scrolls, it waits. */
const framesMax = 120;

/**
 * Returns whether the page is being printed: then all messages that are loaded are on it. The key for printing loads more of
 * them before; whoever prints by the browser's menu gets what there is.
 * @param shown the ids that are shown
 */
export function usePrinting(list: MessageList, shown: () => readonly number[]): ReadonlySignal<boolean> {
  const isPrinting = useSignal(false);
  const show = (isOn: boolean) => flushSync(() => void (isPrinting.value = isOn));
  useEffect(() => {
    const [begin, end] = [() => show(true), () => show(false)];
    globalThis.addEventListener('beforeprint', begin);
    globalThis.addEventListener('afterprint', end);
    return () => {
      globalThis.removeEventListener('beforeprint', begin);
      globalThis.removeEventListener('afterprint', end);
    };
  }, []);
  useCommand('print', () => void print().catch(showError));
  async function print(): Promise<void> {
    if (!list.hasOldest || !list.hasNewest) showToast(messageText.printLoading);
    await loadUpTo(list, printedMax);
    for (let frame = 0; frame < framesMax && shown().length !== list.ids.length; frame += 1) {
      await new Promise(requestAnimationFrame);
    }
    show(true);
    globalThis.print();
    show(false);
  }
  return isPrinting;
}
