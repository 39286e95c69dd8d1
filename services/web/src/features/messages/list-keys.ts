import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { VirtualizerHandle } from 'virtua';

import { useCommand } from '../../base/keys/commands.ts';
import { go } from '../../base/router/fragment.ts';
import { peek } from '../../data/live/state.ts';
import { conversationOf } from '../../data/places/links.ts';
import { inView } from './viewport.ts';

interface ListKeys {
  handle: RefObject<VirtualizerHandle>;
  scroller: RefObject<HTMLDivElement>;
  readonly ids: () => readonly number[];
  /** The message at which keys are valid. */
  selected: Signal<number | null>;
  readonly show: (at: 'newest' | 'oldest') => void;
}

/** Handles the keys that move through a list of messages. */
export function useListKeys({ handle, scroller, ids, selected, show }: ListKeys): void {
  function select(index: number): boolean {
    const id = ids()[index];
    if (id === undefined) return true;
    selected.value = id;
    handle.current?.scrollToIndex(index, { align: 'nearest' });
    requestAnimationFrame(() => document.getElementById(`message-${id}`)?.focus({ preventScroll: true }));
    return true;
  }

  function move(by: 1 | -1): boolean {
    const all = ids();
    const view = handle.current && inView(handle.current, all.length);
    if (!view) return false;
    const index = selected.value === null ? -1 : all.indexOf(selected.value);
    const isInView = index >= view.first && index <= view.last;
    if (!isInView) return select(by === 1 ? view.first : view.last);
    // A message that is higher than the page is gone through first.
    const { current } = scroller;
    const [top, size] = [handle.current?.getItemOffset(index) ?? 0, handle.current?.getItemSize(index) ?? 0];
    if (current && size > current.clientHeight) {
      const left = by === 1 ? top + size - current.scrollTop - current.clientHeight : current.scrollTop - top;
      if (left > 1) {
        current.scrollBy({ top: by * Math.min(left, current.clientHeight * 0.8) });
        return true;
      }
    }
    return select(index + by);
  }

  const page = (by: 1 | -1) => () => {
    const { current } = scroller;
    if (!current) return false;
    current.scrollBy({ top: by * current.clientHeight * 0.9 });
    return true;
  };

  useCommand('down', () => move(1));
  useCommand('up', () => move(-1));
  useCommand('pageDown', page(1));
  useCommand('pageUp', page(-1));
  useCommand('first', () => {
    selected.value = null;
    show('oldest');
  });
  useCommand('last', () => {
    selected.value = null;
    show('newest');
  });
  useCommand('narrowTopic', () => {
    const message = selected.value === null ? undefined : peek().messages.get(selected.value);
    if (!message) return false;
    go(conversationOf(message, message.id));
    return true;
  });
}
