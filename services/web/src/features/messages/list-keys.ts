import type { Message } from '@parley/client';
import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { VirtualizerHandle } from 'virtua';

import { useCommand } from '../../base/keys/commands.ts';
import { go, useFragment } from '../../base/router/fragment.ts';
import { channelOf, readNarrow, toChannel, topicOf } from '../../base/router/narrow.ts';
import { editing } from '../../data/actions/editing.ts';
import { mayEdit } from '../../data/actions/permissions.ts';
import { peek } from '../../data/live/state.ts';
import { conversationOf } from '../../data/places/links.ts';
import { isSpectator } from '../../data/session/session.ts';
import { isHistoryShown, showHistory } from './history-dialog.tsx';
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
  useCommand('editLast', () => {
    if (isSpectator()) return false;
    const all = ids();
    const index = all.findLastIndex((id) => {
      const message = peek().messages.get(id);
      return message !== undefined && mayEdit(message);
    });
    const last = all[index];
    if (last === undefined) return false;
    handle.current?.scrollToIndex(index, { align: 'nearest' });
    selected.value = last;
    editing.value = last;
    return true;
  });
  useConversationKeys(() => (selected.value === null ? undefined : peek().messages.get(selected.value)));
}

/** Handles the keys that lead from a message to what belongs to it. */
function useConversationKeys(current: () => Message | undefined): void {
  const narrow = readNarrow(useFragment());
  useCommand('narrowTopic', () => {
    const message = current();
    const channel = message?.stream_id ?? (narrow && channelOf(narrow));
    const isInTopic = narrow !== null && topicOf(narrow) !== null && channelOf(narrow) === channel;
    if (typeof channel === 'number' && isInTopic)
      go(toChannel(channel, peek().channels.get(channel)?.name ?? ''));
    else if (message) go(conversationOf(message, message.id));
    else return false;
    return true;
  });
  useCommand('inContext', () => {
    const message = current();
    if (!message) return false;
    go(conversationOf(message, message.id));
    return true;
  });
  useCommand('history', () => {
    const message = current();
    if (!message || !hasHistory(message)) return false;
    showHistory(message.id);
    return true;
  });
  useCommand('picture', () => {
    const message = current();
    const picture =
      message && document.getElementById(`message-${message.id}`)?.querySelector<HTMLElement>(pictures);
    picture?.click();
    return Boolean(picture);
  });
}

/** Pictures in a text; its emoji are none. */
const pictures = '.message_inline_image>a>img,.inline-image';

/** Whether something of a message was changed, and the organization shows what it was. */
const hasHistory = ({ last_edit_timestamp: edited, last_moved_timestamp: moved }: Message): boolean =>
  (edited ?? moved) !== undefined && isHistoryShown();
